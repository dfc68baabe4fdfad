/** A line of CSV (RFC 4180, ended by LF): quoted where it has to be, undefined as nothing. */
export function csvLine(cells: readonly (string | number | undefined)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? '');
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(',')}\n`;
}
