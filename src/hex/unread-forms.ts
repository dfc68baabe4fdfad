/** Forms that are recognised but not read: a pattern, the name, and a form to use instead. */
const unreadForms: readonly (readonly [sign: RegExp, name: string, instead: string])[] = [
  [/^- (?:0x[0-9a-f]{1,2}|\d{1,3})[ \t\r]*\n[ \t]*- /im, 'a YAML list', 'write the numbers as [16, 5, 2]'],
  [/^[ \t]*0{6,8}[ \t]+\S/m, 'a dump in a format of od or hexdump that is not read', 'use xxd or od -t x1'],
  [/^(?:[ \t]+(?:[0-7]{3}|\\[0abfnrtv]|[!-~])){8,}[ \t\r]*$/m, 'od -c', 'use xxd or od -t x1'],
  [/(?:=[0-9A-F]{2}){2}/m, 'quoted-printable', 'save the decoded attachment as a file'],
  [/^[A-Z2-7]{16,}={0,6}[ \t\r]*$/m, 'base32', 'decode it first, as with base32 -d'],
  [/^begin [0-7]{3} /m, 'uuencode', 'decode it first, as with uudecode'],
];

/** What a text that was refused looks like, and what to do instead; undefined if it is not known. */
export function adviceFor(text: string): string | undefined {
  const found = unreadForms.find(([sign]) => sign.test(text));
  return found && `this looks like ${found[1]}: ${found[2]}`;
}
