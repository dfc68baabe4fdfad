/** A place in a report, as its link names it: `#tick=8170&item=obj_character/0`. */
export interface Place {
  /** Of a capture: which of its connections. */
  readonly client?: string | undefined;
  readonly tick?: number | undefined;
  /** Name and id of an item. */
  readonly item?: string | undefined;
}

/** Reads the part of an address behind `#`; what it doesn't understand it leaves out. */
export function readPlace(hash: string): Place {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const tick = words.get('tick');
  const place: { -readonly [Key in keyof Place]: Place[Key] } = {};
  if (words.has('client')) place.client = words.get('client')!;
  if (tick !== null && /^\d{1,10}$/.test(tick)) place.tick = Number(tick);
  if (/^[\w.() -]+\/\d+$/.test(words.get('item') ?? '')) place.item = words.get('item')!;
  return place;
}

/** The same written. */
export function writePlace({ client, tick, item }: Place): string {
  const words: string[] = [];
  if (client !== undefined) words.push(`client=${encodeURIComponent(client)}`);
  if (tick !== undefined) words.push(`tick=${tick}`);
  if (item !== undefined) words.push(`item=${encodeURIComponent(item).replace('%2F', '/')}`);
  return `#${words.join('&')}`;
}
