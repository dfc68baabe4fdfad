/** The package's version, set by the build and by the test's configuration. */
declare const VERSION: string;
/** The commit that was built; empty if it is not known. */
declare const COMMIT: string;

/**
 * The text of one of the package's files in a single executable, which has them in itself (scripts/release); elsewhere
 * not defined.
 */
declare const packageFile: undefined | ((name: string) => string);
