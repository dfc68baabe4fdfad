/** The version of tw-snap, inserted by the bundler. */
declare const VERSION: string;
