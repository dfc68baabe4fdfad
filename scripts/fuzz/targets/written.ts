import { main } from '../../../commands/index.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import type { MessageEntry, RecordingEntry } from '../../../src/recording/replay/record.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { fakeIo } from '../../../test/support/fake-io.ts';
import { check, same } from '../checks.ts';
import { makeCapture } from '../make/capture.ts';
import { makeDemo } from '../make/demo.ts';
import type { Material } from '../material.ts';
import type { Random } from '../random.ts';
import type { Note, Target } from '../target.ts';

/**
 * Damaged recordings through the commands that write: nothing that `dump` reads of the input may be missing from the
 * result.
 */
export const written: Target = {
  name: 'written',
  share: 15,
  async run(random, material, note) {
    if (random.oneIn(6)) return capture(random, material, note);
    const bytes = makeDemo(random, material.demos, material);
    note('a.demo', bytes);
    const input = contentOf(bytes);
    await demo(random, bytes, input);
    await exported(bytes, input);
    return undefined;
  },
};

interface Content {
  readonly hasHeader: boolean;
  readonly mapBytes: number;
  readonly hasErrors: boolean;
  /** Whether there are warnings: `repair` takes some of them for signs of damage. */
  readonly hasSigns: boolean;
  /** The number of snapshots, also of those that may be wrong. */
  readonly snapshots: number;
  /** The items of each tick with a snapshot that is certain, up to the next one. */
  readonly sure: ReadonlyMap<number, string>;
  readonly ticks: readonly number[];
  readonly messages: readonly { readonly tick: number; readonly bytes: string }[];
}

/** What `dump` reads of a demo. */
function contentOf(bytes: Uint8Array): Content {
  const replay = new DemoReplay();
  const content = { hasHeader: false, mapBytes: 0, hasErrors: false, hasSigns: false, snapshots: 0 };
  const sure = new Map<number, string>();
  const ticks: number[] = [];
  const messages: { tick: number; bytes: string }[] = [];
  const add = (entry: RecordingEntry) => {
    if (entry.record === 'header') content.hasHeader = true;
    if (entry.record === 'map') content.mapBytes += entry.piece.length;
    if (entry.record === 'diagnostic') content[entry.diagnostic.severity === 'error' ? 'hasErrors' : 'hasSigns'] = true;
    if (entry.record === 'tick') ticks.push(entry.tick);
    if (entry.record === 'message' && !announces(entry))
      messages.push({ tick: entry.tick!, bytes: entry.bytes.join() });
    if (entry.record !== 'snapshot') return;
    content.snapshots++;
    if (!entry.uncertain) sure.set(entry.tick, itemsOf(entry.snapshot!));
  };
  for (const entry of replay.feed(bytes)) add(entry);
  for (const entry of replay.finish()) add(entry);
  return { ...content, sure, ticks, messages };
}

/** Whether it announces the checksum of a snapshot, with which it is left out. */
const announces = ({ head }: MessageEntry) => head.type?.name.startsWith('snap') === true;

/** The items, in an order of their own: a delta does not determine that of a snapshot. */
const itemsOf = (snapshot: Snapshot) =>
  [...snapshot]
    .map(({ type, id, data }) => `${type} ${id}: ${data.join()}`)
    .sort()
    .join(';');

const isRising = (ticks: readonly number[]) => ticks.every((tick, i) => i === 0 || tick > ticks[i - 1]!);

async function demo(random: Random, bytes: Uint8Array, input: Content): Promise<void> {
  const [from, to] = [random.pick(input.ticks) ?? 0, random.pick(input.ticks) ?? 0].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const kind = random.pick(['edit', 'edit', 'repair', 'slice', 'concat', 'map', 'snapshot'] as const);
  const lines = {
    edit: ['edit', 'a.demo', '-o', 'out'],
    repair: ['repair', 'a.demo', '-o', 'out'],
    slice: ['slice', 'a.demo', '--ticks', `${from}..${to}`, '-o', 'out'],
    concat: ['concat', 'a.demo', 'a.demo', '-o', 'out'],
    map: ['extract', 'a.demo', '--map', '-o', 'out'],
    snapshot: ['extract', `a.demo@${to}`, '-o', 'out'],
  };
  const io = fakeIo({ files: { 'a.demo': bytes } });
  const status = await main(lines[kind], io);
  const stderr = io.stderr.text;
  const what = `${lines[kind].join(' ')}: status ${status}, ${stderr.slice(0, 500)}`;
  check(!/internal\s+error/.test(stderr), what);
  const out = io.files.get('out');
  if (kind === 'map' || kind === 'snapshot') {
    check(status < 2 === (out !== undefined) || input.hasErrors, what);
    if (kind === 'map' && status === 0)
      check(out?.length === input.mapBytes, `map: ${out?.length}, not ${input.mapBytes}`);
    if (kind === 'snapshot' && input.sure.has(to) && isRising(input.ticks)) check(out !== undefined, what);
    return;
  }
  const isWholeRead = input.hasHeader && !stderr.includes('too large for a demo');
  if (!out) {
    const isEmpty = ![...input.sure.keys()].some((tick) => kind !== 'slice' || (tick >= from && tick <= to));
    check(
      !input.hasHeader ||
        isEmpty ||
        (kind === 'slice' && !isRising(input.ticks)) ||
        stderr.includes('too high') ||
        (kind === 'repair' && input.hasSigns),
      `nothing is written: ${what}`,
    );
    check(status > 1, what);
    return;
  }
  const result = contentOf(out);
  check(!result.hasErrors, `the result has errors: ${what}`);
  if (kind === 'repair') check(status !== 0 || !input.hasErrors, `lost without a word: ${what}`);
  else if (kind !== 'slice') check((status === 3) === input.hasErrors, `errors: ${input.hasErrors}; ${what}`);
  // A tick that jumps out of the range and comes back takes snapshots with it, which slice reports as lost.
  else check(status !== 3 || input.hasErrors || !isRising(input.ticks), what);
  if (!isWholeRead || (kind === 'slice' && !isRising(input.ticks))) return;
  const inRange = (tick: number) => kind !== 'slice' || (tick >= from && tick <= to);
  if (isRising(input.ticks) && (kind !== 'repair' || status === 0)) {
    for (const [tick, items] of input.sure) {
      if (inRange(tick)) same(stateAt(result, tick), items, `tick ${tick} differs: ${what}`);
    }
  }
  const messages = input.messages.filter(({ tick }) => inRange(tick)).map(({ bytes: text }) => text);
  const found = result.messages.map(({ bytes: text }) => text);
  let at = 0;
  for (const message of messages) {
    const next = found.indexOf(message, at);
    check(next >= 0, `a message is missing: ${what}`);
    at = next + 1;
  }
}

/** The items at a tick: those of the last snapshot, since a tick without a snapshot repeats it. */
function stateAt({ sure }: Content, tick: number): string {
  let last = 'nothing';
  for (const [value, items] of sure) if (value <= tick) last = items;
  return last;
}

/** The table of snapshots has a row for each, and the status is that of `info`. */
async function exported(bytes: Uint8Array, input: Content): Promise<void> {
  const run = async (...argv: string[]) => {
    const io = fakeIo({ files: { 'a.demo': bytes } });
    return { status: await main(argv, io), rows: io.stdout.text.split('\n').length - 2 };
  };
  const { status, rows } = await run('export', 'a.demo', '--tables', 'snapshots', '-t', 'csv');
  const info = await run('info', 'a.demo');
  check(status === info.status, `export: status ${status}, info ${info.status}`);
  check(rows === input.snapshots || !input.hasHeader, `export: ${rows} rows, not ${input.snapshots}`);
}

/** The demo of a client: the status is at most that of `info`, and the result is readable. */
async function capture(random: Random, material: Material, note: Note): Promise<undefined> {
  const bytes = makeCapture(random, material.conversations, material);
  note('a.pcap', bytes);
  const io = fakeIo({ files: { 'a.pcap': bytes } });
  const status = await main(['extract', 'a.pcap', '--demo', '-o', 'out-%d'], io);
  const what = `extract --demo: status ${status}, ${io.stderr.text.slice(0, 500)}`;
  check(!/internal\s+error/.test(io.stderr.text), what);
  const outputs = [...io.files].filter(([name]) => name.startsWith('out-'));
  check(status === 0 || status === 3 || outputs.length === 0, what);
  for (const [name, out] of outputs) check(!contentOf(out).hasErrors, `${name} has errors: ${what}`);
}
