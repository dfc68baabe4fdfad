/** Forms that are not read but look like one that is: without these patterns, of a line or its beginning, some bytes would be wrong. */
const refusedForms: readonly (readonly [name: string, sign: RegExp])[] = [
  // `.data:00403000 packet db 10h, 5, 2`, `.byte 0x10, 0x5`; not the byte db among pairs: `0000060 00 db 00`
  [
    'assembler code',
    /^(?=[^;\n]*[^\da-f:;\s])[ \t]*(?:[^\s"',]{1,80}[ \t]+){0,2}(?:db|\.byte)[ \t]+(?:0x[\da-f]+|-?\d[\da-f]*h?|'[^'\n]*'|"[^"\n]*")[ \t]*(?:[,;#\r\n]|$|dup)/im,
  ],
  // `│00000000│ 10 05 02 28 9d e1 4a ed ┊ be f9`
  ['hexyl', /^[ \t]*[│|][0-9a-f]{8}[│|]/im],
  // `0x5555555580a0 <packet>:	0x28020510`, `0x5555555580a0:	16	5	2`, `0x5555555580a0: 10 05 02 28  ...(`
  [
    "a debugger's memory other than x/xb",
    /^[ \t]*(?:=> )?0x[0-9a-f]{6,16}(?: <[^>\n]{0,200}>)?:[ \t]+(?:0x[0-9a-f]{3,16}|-?\d{1,3}|[01]{8}|[0-9a-f]{2})(?:\s|$)/im,
  ],
  // `00000000: 00010000 00000101 00000010 00101000 10011101 11100001  ...(..`: `xxd -g 4` has more characters beside as many digits
  ['bits', /^[ \t]*[0-9a-f]{4,12}:(?: [01]{8}){6} {1,2}.{1,6}\r?$/im],
  // `00007ff6`1e3ab0c0  10 05 02 28-9d e1 4a ed`
  ['WinDbg', /^[ \t]*[0-9a-f]{8}`[0-9a-f]{8}[ \t]/im],
  // `0000000 002420 024002`, `0000000 020 005`, `0000000  16   5`, `0000000 28020510`; not `0000000 10 05`, `0000000 0510 2802`
  ['octal, decimal or longer words', /^[ \t]*0{7}(?! [0-9a-f]{2}(?: \S|\s|$)| +[0-9a-f]{4}(?:\s|$))[ \t]+\S/im],
  ['decimal numbers', /^[ \t]*0{6,7}(?: {2}\d{4}| {2,}\d{2}){4}/m],
  // The same with a shorter address, or without one: one blank begins the row, after quote marks.
  ['longer words', /^[ \t]*0{6}(?: +(?:[0-9a-f]{8}|[0-9a-f]{16}))+[ \t\r]*$/im],
  ['octal words', /^(?:[ \t]*0{6}| (?: {2})*[01][0-7]{5})(?: [01][0-7]{5})+[ \t\r]*$/m],
  // `%10%05%02(%9D`, `?data=%10%05%02`, `?d=10%2005%2002`
  ['URL escapes', /(?:[?&#]\w{1,30}=|^[ \t]*)(?:[\w.~!*'()/-]*%[0-9a-f]{2}){4}/im],
  ['quoted-printable', /(?:=[0-9A-F]{2}[^\s=&?]{0,20}){4}/],
  ['base32', /^[ \t]*(?=[A-Z]{0,80}[2-7])[A-Z2-7]{16,}={0,6}[ \t\r]*$/m],
  ['uuencode', /^begin [0-7]{3} /m],
  ['a YAML list', /^[ \t]*- (?:0x[0-9a-f]{1,2}|\d{1,3})[ \t\r]*\n[ \t]*- /im],
];

/** The form that is not read in which a text is written, and where; undefined if there is none. */
export function refusedForm(text: string): { readonly name: string; readonly at: number } | undefined {
  for (const [name, sign] of refusedForms) {
    const at = text.search(sign);
    if (at >= 0) return { name, at };
  }
  return undefined;
}
