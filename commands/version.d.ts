/** The package's version, set by the build and by the test's configuration. */
declare const VERSION: string;
/** The commit that was built; empty if it is not known. */
declare const COMMIT: string;
