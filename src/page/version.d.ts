/** Of tw-snap; the bundler puts it in. */
declare const VERSION: string;
