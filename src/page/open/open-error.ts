/** The error for a file or text that the page cannot show. Its message is shown to the user. */
export class OpenError extends Error {}
