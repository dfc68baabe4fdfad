import { isTick, type Moment, type MomentRange, tickOf, ticksAmong } from '../../../src/input/source/position.ts';
import { escapeText, pathText } from '../../../src/output/text/escape.ts';
import { matchesClient } from '../../../src/recording/replay/stream.ts';
import type { StreamSummary } from '../../../src/recording/summary/stream-summary.ts';
import { usageError } from '../options/errors.ts';
import { nameTest } from '../options/options.ts';
import { newFile } from '../platform/growing.ts';
import { type Input, type OpenRecording, otherPosition } from './inputs.ts';
import { eachRecord, maxNamed, replayOf } from './records.ts';
import { summarise } from './summarise.ts';

/** How a recording is read, and the connection that `--client` names. */
type ClientReading = Pick<Input, 'client' | 'version' | 'schema' | 'io'> & Partial<Pick<Input, 'format'>>;

/** `127.0.0.1:8303`, `[::1]:8303`, `127.0.0.1:8303#2` */
const endpoint = /^(?:\[.*\]|[^:]+):\d+(?:#\d+)?$/;

/**
 * Finds the connection that `--client` names: by address and port, which needs no search; by address, port, name of the
 * player, or number in the list of `info`, for which the file is read before.
 * @returns its address; undefined for all
 * @throws CommandError if several connections are meant, or none, or if the input can be read only once
 */
async function clientIn(opened: OpenRecording, input: ClientReading): Promise<string | undefined> {
  const { client } = input;
  if (client === undefined || opened.client !== undefined || !opened.format.hasPackets) return opened.client;
  if (endpoint.test(client)) return client;
  const name = pathText(opened.name);
  if (!opened.isFile) {
    throw usageError(`${name}: --client ${escapeText(client)} reads the input twice; for a pipe name address and port`);
  }
  const reading = { ...input, client: undefined, follow: false };
  const { streams, datagrams } = (await summarise(await opened.again(), reading)).summary;
  const means = meaningOf(client);
  const found = streams.filter(means);
  const asking = [...(datagrams?.asking.keys() ?? [])].filter((address) => isAddressOf(address, client));
  const [first, second] = new Set([...found.map((stream) => stream.stream.client), ...asking]);
  if (first !== undefined && second === undefined)
    return first.includes('#') || found.length === 0 ? first : `${first}#1`;
  const shown = (found.length > 0 ? found : streams).slice(0, maxNamed);
  const rows = shown.map((stream) =>
    `${streams.indexOf(stream) + 1} ${stream.stream.client} ${escapeText(stream.player ?? '')}`.trimEnd(),
  );
  const more = (found.length || streams.length) > maxNamed ? ', …' : '';
  const reason = first === undefined ? 'there is no client' : 'several connections are';
  const forms = '--client accepts an address with or without port, a port, a name, or a number of this list';
  throw usageError(`${name}: ${reason} ${escapeText(client)}: ${rows.join(', ')}${more}; ${forms}`);
}

function meaningOf(text: string) {
  const isName = nameTest(text);
  return ({ stream: { client }, player = '' }: StreamSummary, i: number): boolean =>
    String(i + 1) === text || isAddressOf(client, text) || isName(player);
}

/** Whether a text is the address of a client, with or without its port, or the port. */
function isAddressOf(client: string, text: string): boolean {
  const [, bracketed, plain, port] = /^(?:\[(.*)\]|(.*)):(\d+)(?:#\d+)?$/.exec(client) ?? [];
  return [client, bracketed, plain, port, `[${bracketed}]`].includes(text);
}

/** How the recording is read, and the client whose ticks count. */
type Reading = ClientReading & Pick<Input, 'follow'>;

/** What is chosen of a recording. */
export type Choosing = Reading & Pick<Input, 'ticks'> & Partial<Pick<Input, 'limits'>>;

/** The range of `FILE@A..B`. */
export const rangeIn = ({ position }: Pick<OpenRecording, 'position'>): MomentRange | undefined =>
  position && 'range' in position ? position.range : undefined;

/**
 * Finds the client, and turns a range of moments into ticks. What is read to find the first tick is kept, so that a
 * pipe can be read, too.
 * @returns the client, the ticks, and the recording from its beginning
 * @throws CommandError if they are counted from the last tick, and the input can be read only once
 */
export async function chosenIn(
  found: OpenRecording,
  { ticks: stated, ...input }: Choosing,
): Promise<Pick<OpenRecording, 'client' | 'ticks' | 'source'>> {
  const { name, position, source } = found;
  const named = rangeIn(found);
  if (position && !named) throw otherPosition(name, position);
  if (stated && named) throw usageError(`${name}@${position!.text} has a range: leave out --ticks`);
  const client = await clientIn(found, input);
  const range = stated ?? named;
  if (!range) return { client, ticks: undefined, source };
  const isFrom = (end: Moment['from']) => range.from?.from === end || range.to?.from === end;
  const { again, first } = isFrom('first') ? await untilFirstTick(found, client, input) : { again: source, first: 0 };
  const last = isFrom('last') ? await lastTick(found, client, input) : 0;
  const at = (moment: Moment | undefined, open: number) => (moment ? tickOf(moment, first, last) : open);
  const ticks = { from: at(range.from, 0), to: at(range.to, Infinity) };
  if (ticks.from > ticks.to) {
    throw usageError(`${pathText(name)}: the range ends before it begins: ${ticks.from}..${ticks.to}`);
  }
  return { client, ticks, source: again };
}

/** The first tick of the chosen client, 0 without any, and the input from its beginning. */
async function untilFirstTick(opened: OpenRecording, client: string | undefined, input: Reading) {
  const { source } = opened;
  const replay = replayOf(opened, input, { messages: false });
  const read: Uint8Array[] = [];
  const rest = source.pieces[Symbol.asyncIterator]();
  let first: number | undefined;
  let failure: unknown;
  while (first === undefined) {
    const next = await rest.next().catch((error: unknown) => {
      failure = error;
    });
    if (!next || next.done) break;
    // The memory of a piece is used again.
    read.push(next.value === newFile ? newFile : next.value.slice());
    [first] = ticksAmong(replay.feed(next.value), client);
  }
  async function* pieces() {
    yield* read;
    if (failure) throw failure;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { again: source.with({ pieces: pieces() }), first: first ?? 0 };
}

/** The last tick of the chosen client, 0 without any. */
async function lastTick(opened: OpenRecording, client: string | undefined, input: Reading): Promise<number> {
  if (!opened.isFile) throw usageError(`${opened.name}: 'last' reads the input twice; it has to be a file`);
  const again = await opened.again();
  let last = 0;
  await eachRecord(again, replayOf(again, input, { messages: false }), (entry) => {
    if (isTick(entry) && matchesClient(entry.stream, client)) last = entry.tick;
  });
  return last;
}
