/** A connection, tick and item of a report, written as the fragment of a link: `#tick=8170&item=obj_character/0`. */
export interface ReportLink {
  /** The client that identifies a connection in a capture. */
  readonly client?: string | undefined;
  readonly tick?: number | undefined;
  /** The item's name and id. */
  readonly item?: string | undefined;
}

/** Reads the fragment of an address, from `#` on. Invalid and unknown parameters are ignored. */
export function readLink(hash: string): ReportLink {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const tick = parameters.get('tick');
  const link: { -readonly [Key in keyof ReportLink]: ReportLink[Key] } = {};
  if (parameters.has('client')) link.client = parameters.get('client')!;
  if (tick !== null && /^\d{1,10}$/.test(tick)) link.tick = Number(tick);
  if (/^[\w.() -]+\/\d+$/.test(parameters.get('item') ?? '')) link.item = parameters.get('item')!;
  return link;
}

/** Writes a fragment that {@link readLink} reads. */
export function writeLink({ client, tick, item }: ReportLink): string {
  const parameters: string[] = [];
  if (client !== undefined) parameters.push(`client=${encodeURIComponent(client)}`);
  if (tick !== undefined) parameters.push(`tick=${tick}`);
  if (item !== undefined) parameters.push(`item=${encodeURIComponent(item).replace('%2F', '/')}`);
  return `#${parameters.join('&')}`;
}
