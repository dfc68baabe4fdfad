/*
 * A program that captures for long begins another file now and then. These are one recording: in the second file alone
 * no delta has its base.
 *
 *   tcpdump -C     server.pcap  server.pcap1  server.pcap2         with -W: server.pcap00  server.pcap01 …
 *   dumpcap -b     server_00001_20261120110813.pcapng …            as Wireshark does
 *
 * A set is written as the pattern of its files: `server.pcap{,1,2}`.
 */

/** What stands before and after the part that differs, and a range of the file after a second `@`. */
const forms = [
  /^(?<before>.*_)(?<own>\d{5}_\d{14})(?<after>\.(?:pcap|pcapng|cap)(?:\.gz|\.zst)?)(?<range>@[^@/\\]*)?$/is,
  /^(?<before>.*\.(?:pcap|pcapng|cap|dmp))(?<own>\d*)(?<after>(?:\.gz|\.zst)?)(?<range>@[^@/\\]*)?$/is,
];

/** The files, with a pattern in place of those of each set; it stands where the first of them stood. */
export function withSets(files: readonly string[]): string[] {
  const sets = new Map<string, { readonly files: Set<string>; readonly own: string[] }>();
  const keys = files.map((file) => {
    const {
      before,
      own = '',
      after = '',
      range = '',
    } = forms.map((form) => form.exec(file)).find(Boolean)?.groups ?? {};
    if (before === undefined) return undefined;
    const key = JSON.stringify([before, after + range]);
    const set = sets.get(key) ?? { files: new Set(), own: [] };
    sets.set(key, set);
    set.files.add(file);
    set.own.push(own);
    return key;
  });
  const all = files.map((file, i) => {
    const set = keys[i] === undefined ? undefined : sets.get(keys[i]!)!;
    // A file that is named twice is read twice.
    if (!set || set.own.length < 2 || set.files.size < set.own.length) return file;
    const [before, after] = JSON.parse(keys[i]!) as [string, string];
    return `${before}{${set.own}}${after}`;
  });
  return [...new Set(all)].length === all.length
    ? all
    : all.filter((name, i) => all.indexOf(name) === i || name === files[i]);
}
