/** The package's version, set by the build and by the test's configuration. */
declare const VERSION: string;
