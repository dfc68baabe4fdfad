import { isTick, type Moment, type MomentRange, tickOf, ticksAmong } from '../../../src/input/source/position.ts';
import { escapeText } from '../../../src/output/text/escape.ts';
import { matchesClient } from '../../../src/recording/replay/stream.ts';
import type { StreamSummary } from '../../../src/recording/summary/stream-summary.ts';
import { usageError } from '../options/errors.ts';
import { nameTest } from '../options/options.ts';
import { newFile } from '../platform/growing.ts';
import { type Input, maxNamed, type Opened, openInput, otherPosition } from './inputs.ts';
import { openReplay, readRecords } from './read-recording.ts';

/** How a recording is read, and the connection that `--client` names. */
type ClientReading = Pick<Input, 'client' | 'version' | 'schema' | 'io'> & Partial<Pick<Input, 'format'>>;

/** `127.0.0.1:8303`, `[::1]:8303`, `127.0.0.1:8303#2` */
const endpoint = /^(?:\[.*\]|[^:]+):\d+(?:#\d+)?$/;

/**
 * Finds the connection that `--client` names: by address and port, which needs no search; by address, port, name of the
 * player, or number in the list of `info`, for which the file is read before.
 * @returns the recording with the address of its `client`
 * @throws CommandError if several connections are meant, or none, or if the input can be read only once
 */
export async function withClient<Recording extends Opened>(
  opened: Recording,
  input: ClientReading,
): Promise<Recording> {
  const { client, io } = input;
  if (client === undefined || opened.client !== undefined || !opened.format?.hasPackets) return opened;
  if (endpoint.test(client)) return { ...opened, client };
  const { path } = opened;
  const name = escapeText(opened.name);
  if (path === '-' || io.size(path) === 0) {
    throw usageError(`${name}: --client ${escapeText(client)} reads the input twice; for a pipe name address and port`);
  }
  const reading = { ...input, client: undefined, follow: false };
  const { summarise } = await import('./summarise.ts');
  const again = await openInput(path, reading);
  const { streams } = (await summarise({ ...again, format: opened.format }, reading)).summary;
  const means = meaningOf(client);
  const found = streams.filter(means);
  const [first, second] = new Set(found.map((stream) => stream.stream.client));
  if (first !== undefined && second === undefined)
    return { ...opened, client: first.includes('#') ? first : `${first}#1` };
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
  return ({ stream: { client }, player = '' }: StreamSummary, i: number): boolean => {
    const [, bracketed, plain, port] = /^(?:\[(.*)\]|(.*)):(\d+)(?:#\d+)?$/.exec(client) ?? [];
    return (
      String(i + 1) === text || [client, bracketed, plain, port, `[${bracketed}]`].includes(text) || isName(player)
    );
  };
}

/** How the recording is read, and the client whose ticks count. */
export type Reading = ClientReading & Pick<Input, 'follow'>;

/** The range of `FILE@A..B`. */
export const rangeIn = ({ position }: Opened): MomentRange | undefined =>
  position && 'range' in position ? position.range : undefined;

/**
 * Finds the client, and turns a range of moments into ticks. What is read to find the first tick is kept, so that a
 * pipe can be read, too.
 * @returns the recording from its beginning, with its `client` and `ticks`
 * @throws CommandError if they are counted from the last tick, and the input can be read only once
 */
export async function withTicks<Recording extends Opened>(
  found: Recording,
  stated: MomentRange | undefined,
  input: Reading,
): Promise<Recording> {
  const { name, position } = found;
  const named = rangeIn(found);
  if (position && !named) throw otherPosition(name, position);
  if (stated && named) throw usageError(`${name}@${position!.text} has a range: leave out --ticks`);
  const opened = { ...(await withClient(found, input)), position: undefined };
  const range = stated ?? named;
  if (!range) return opened;
  const isFrom = (end: Moment['from']) => range.from?.from === end || range.to?.from === end;
  const { again, first } = isFrom('first') ? await untilFirstTick(opened, input) : { again: opened, first: 0 };
  const last = isFrom('last') ? await lastTick(opened, input) : 0;
  const at = (moment: Moment | undefined, open: number) => (moment ? tickOf(moment, first, last) : open);
  const ticks = { from: at(range.from, 0), to: at(range.to, Infinity) };
  if (ticks.from > ticks.to) {
    throw usageError(`${escapeText(name)}: the range ends before it begins: ${ticks.from}..${ticks.to}`);
  }
  return { ...again, ticks };
}

/** The first tick of the chosen client, 0 without any, and the input from its beginning. */
async function untilFirstTick<Recording extends Opened>(opened: Recording, input: Reading) {
  const replay = openReplay(opened, input, { messages: false });
  const read: Uint8Array[] = [];
  const rest = opened.pieces[Symbol.asyncIterator]();
  let first: number | undefined;
  let failure: unknown;
  while (first === undefined) {
    const next = await rest.next().catch((error: unknown) => {
      failure = error;
    });
    if (!next || next.done) break;
    // The memory of a piece is used again.
    read.push(next.value === newFile ? newFile : next.value.slice());
    [first] = ticksAmong(replay.feed(next.value), opened.client);
  }
  async function* pieces() {
    yield* read;
    if (failure) throw failure;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { again: { ...opened, pieces: pieces() }, first: first ?? 0 };
}

/** The last tick of the chosen client, 0 without any. */
async function lastTick(opened: Opened, input: Reading): Promise<number> {
  const { name, path, client } = opened;
  if (path === '-' || input.io.size(path) === 0) {
    throw usageError(`${name}: 'last' reads the input twice; it has to be a file`);
  }
  const again = await openInput(path, input);
  let last = 0;
  await readRecords(again, openReplay(again, input, { messages: false }), (entry) => {
    if (isTick(entry) && matchesClient(entry.stream, client)) last = entry.tick;
  });
  return last;
}
