import type { Place } from '../data/camera.ts';
import type { Inspected } from '../data/inspect.ts';
import type { Range } from '../data/marks.ts';
import { type Followed, layers, looks, type Shown, views } from '../data/store.ts';
import { topics } from '../report/event-lines.ts';

/** What a report shows, written as the fragment of a link: `#tick=8170&item=obj_character/0`. */
export interface ReportLink extends Partial<Shown> {
  /** The client that identifies a connection in a capture. */
  readonly client?: string | undefined;
  readonly tick?: number | undefined;
}

const wholeText = (text: string) => text;
const booleanOf = (text: string) => text === 'true' || (text === 'false' ? false : undefined);
const rangeOf = (text: string): Range | undefined => {
  const [, from, to] = /^(\d{1,10})\.\.(\d{1,10})$/.exec(text) ?? [];
  return Number(from) < Number(to) ? { from: Number(from), to: Number(to) } : undefined;
};
const number = '-?\\d{1,10}(?:\\.\\d{1,6})?';
const isPlace = new RegExp(`^${number},${number},\\d{0,3}\\.?\\d{1,6}$`);

const recordOf = (text: string): ReportLink['record'] => {
  const [, kind, number] = /^(message|packet)\/(\d{1,9})$/.exec(text) ?? [];
  return kind === undefined ? undefined : { kind: kind as 'message' | 'packet', number: Number(number) };
};

const readers: { readonly [Key in keyof ReportLink]-?: (text: string) => ReportLink[Key] } = {
  client: wholeText,
  view: (text) => views.find((view) => view === text),
  tick: (text) => (/^\d{1,10}$/.test(text) ? Number(text) : undefined),
  item: (text) => (/^[\w.() -]+\/\d+$/.test(text) ? text : undefined),
  followed: (text) =>
    (['all', 'camera', 'free'].find((name) => name === text) as Followed) ??
    (/^\d+$/.test(text) ? Number(text) : undefined),
  camera: (text) => (isPlace.test(text) ? (text.split(',').map(Number) as unknown as Place) : undefined),
  showsPaths: booleanOf,
  look: (text) => looks.find((look) => look === text),
  filter: wholeText,
  onlyChanged: booleanOf,
  hidden: (text) => topics.filter((topic) => text.split(',').includes(topic)),
  query: wholeText,
  plots: (text) => text.split(',').filter((plot) => /^[\w.() -]+\/\d+\/[^/]+(\+[\w.() -]+\/\d+\/[^/]+)*$/.test(plot)),
  repeated: rangeOf,
  visible: rangeOf,
  record: recordOf,
  layer: (text) => layers.find((layer) => layer === text),
};

/** What links contain, in their order. */
export const linked = Object.keys(readers) as (keyof ReportLink)[];

/** Reads the fragment of an address, from `#` on. Invalid and unknown parameters are ignored. */
export function readLink(hash: string): ReportLink {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const read = Object.entries(readers).map(([name, of]) => {
    const text = parameters.get(name);
    return [name, text === null ? undefined : of(text)];
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** Browsers limit how often the address may change: it follows after so many milliseconds. */
export const addressAfter = 400;

/** What is said of the item that a link names, if it is not there; empty otherwise. */
export const missingItem = (item: string | undefined, { items }: Inspected): string =>
  item === undefined || items.some(({ link }) => link === item)
    ? ''
    : `There is no ${item.replace('/', ' ')} in this snapshot.`;

/** Writes a fragment that {@link readLink} reads. What is as in `usual` is left out. */
export function writeLink(link: ReportLink, usual: ReportLink = {}): string {
  const parameters = linked.flatMap((name) => {
    const text = textOf(link[name]);
    if (text === undefined || text === textOf(usual[name])) return [];
    return `${name}=${encodeURIComponent(text).replace(/%2F/g, '/').replace(/%2C/g, ',')}`;
  });
  return `#${parameters.join('&')}`;
}

function textOf(value: ReportLink[keyof ReportLink]): string | undefined {
  if (Array.isArray(value))
    return value.map((number) => (typeof number === 'number' ? Math.round(number * 1000) / 1000 : number)).join();
  if (typeof value === 'object' && 'number' in value) return `${value.kind}/${value.number}`;
  if (typeof value === 'object' && 'from' in value) return `${Math.floor(value.from)}..${Math.ceil(value.to)}`;
  return value === undefined ? undefined : String(value);
}
