const decoder = new TextDecoder();

/** The first line of a comment with values, and the lines about packets without a connection. */
const firstLine =
  /^(values of tick -?\d+ · 0\.[67] · schema [\da-f]{8}|connectionless.*: \d+ bytes|handshake [a-z_]+|[✗!] [a-z\d]+(_[a-z\d]+)+: .*)$/;
/** The last line of all other comments. */
const lastLine = /^connection \d+ of .* · 0\.[67] · to_(client|server)($| · )/;

/** Whether `annotate` wrote a comment. Annotating the file again replaces such comments. */
export function isOwnComment(comment: Uint8Array): boolean {
  const lines = decoder.decode(comment).split('\n');
  return firstLine.test(lines[0]!) || lastLine.test(lines.at(-1)!);
}
