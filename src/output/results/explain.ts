import {
  type Explanation,
  explainedCount,
  type ItemReference,
  itemsOf,
  type Verdict,
} from '../../analysis/explain/explanation.ts';
import { type Cause, causes } from '../../analysis/explain/hypothesis.ts';
import {
  type Course,
  type CrcError,
  courses,
  type DroppedLine,
  differenceOf,
  type LogExplanation,
  type LogRun,
  type SentenceLine,
  unpackCauses,
} from '../../analysis/explain/log.ts';
import type { DemoFaults } from '../../analysis/explain/recording-explainer.ts';
import type { FailureNote } from '../../analysis/explain/run.ts';
import type { StreamFinding } from '../../analysis/explain/server-faults.ts';
import type { LostRange } from '../../editing/losses.ts';
import type { Oddity } from '../../recording/health/oddities.ts';
import { maxItems, maxSnapshotBytes } from '../../wire/snapshot/key.ts';
import { diagnosticMessage } from '../phrases/diagnostic-messages.ts';
import { fieldsOf, valuesOf } from './fields.ts';

/** The explanation of a recording, or of a base and a delta. */
export interface RecordingExplanation {
  readonly file: string;
  /** The number of snapshots, and of failures among them. */
  readonly snapshots: number;
  readonly failures: number;
  readonly unreadable: number;
  /** The number of snapshots whose base was not captured, or never sent. */
  readonly missingBases: number;
  readonly explanations: readonly Explanation[];
  readonly findings: readonly StreamFinding[];
  /** What no game sends, or its receiver drops. */
  readonly odd?: readonly Oddity[];
  readonly demo?: DemoFaults | undefined;
}

/** A failed snapshot, and the client that it was sent to, if that is known. */
interface Failed extends FailureNote {
  readonly client: string | undefined;
}

/** What is said of failures, or of snapshots without a failure: these have a place instead of counts. */
interface Statement {
  readonly cause: Cause;
  readonly kind: string | undefined;
  readonly items: readonly ItemReference[];
  readonly areAlternatives: boolean;
  readonly field: string | undefined;
  readonly numbers: Readonly<Record<string, number>>;
  readonly fits: Pick<Verdict, 'fits' | 'of'> | undefined;
  readonly place: StreamFinding | undefined;
  readonly failed: readonly Failed[] | undefined;
}

/** The causes whose `kind` says which form they have. */
const withKind: ReadonlySet<Cause> = new Set([
  'mixed_parts',
  'too_large',
  'old_state',
  'sign',
  'not_counted',
  'two_faults',
]);

/** `extended`, or of sizes the version that has them all. */
const kindOf = ({ cause, about, numbers }: Verdict): string | undefined =>
  withKind.has(cause) || (cause === 'other_size' && numbers.type === undefined) ? about.replace(/ .*/, '') : undefined;

const failedOf = (explanation: Explanation): Failed[] =>
  explanation.runs.flatMap(({ stream, notes }) => notes.map((note) => ({ ...note, client: stream?.client })));

const statementsOf = (explanation: Explanation, verdicts: readonly Verdict[]): Statement[] =>
  verdicts.map((verdict) => ({
    ...verdict,
    kind: kindOf(verdict),
    items: itemsOf(explanation, verdict),
    fits: verdict,
    place: undefined,
    failed: verdict.isShown ? failedOf(explanation) : undefined,
  }));

function statementOf(finding: StreamFinding): Statement {
  const { cause, subject, size, count } = finding;
  const numbers: Partial<Record<Cause, Statement['numbers']>> = {
    unregistered: { type: Number(subject) },
    too_large: { found: size, limit: subject === 'bytes' ? maxSnapshotBytes : maxItems },
    no_base: { base: size },
  };
  const kind = typeof subject === 'string' ? subject : undefined;
  return {
    cause,
    kind,
    items: [],
    areAlternatives: false,
    field: undefined,
    numbers: finding.frames ? { packets: count, compressed: size } : (numbers[cause] ?? {}),
    fits: undefined,
    place: finding,
    failed: undefined,
  };
}

const ofItem = fieldsOf<ItemReference>();

export const explainedItemFields = {
  type: ofItem.int('type of the item', ({ type }) => type),
  name: ofItem.orNull.text('name of the type', ({ name }) => name),
  id: ofItem.int('id of the item', ({ id }) => id),
  player: ofItem.orAbsent.name("name of the player, of a player's item", ({ player }) => player),
};

const ofFailed = fieldsOf<Failed>();

export const explainedFailureFields = {
  client: ofFailed.orAbsent.text('of a recording: address of the client', ({ client }) => client),
  frame: ofFailed.orAbsent.int('of a recording: number of the packet, from 1 as in Wireshark', ({ client, frame }) =>
    client === undefined ? undefined : frame,
  ),
  tick: ofFailed.tick('tick of the snapshot', ({ tick }) => tick),
  base: ofFailed.tick('tick of the base; -1 for a full snapshot', ({ base }) => base),
  announced: ofFailed.crc('checksum that the server announced', ({ announced }) => announced),
  difference: ofFailed.orNull.int('announced − rebuilt; null if it cannot be read', ({ difference }) => difference),
  error: ofFailed.orAbsent.text('why it cannot be read: a code', ({ error }) => error?.code),
};

const ofStatement = fieldsOf<Statement>();
const number = (name: string, meaning: string) => ofStatement.orAbsent.int(meaning, ({ numbers }) => numbers[name]);

const ofPlace = fieldsOf<StreamFinding>();

export const statementFields = {
  cause: ofStatement.among(causes, 'what the server did, or what happened to its bytes', ({ cause }) => cause),
  kind: ofStatement.orAbsent.text('which form of the cause', ({ kind }) => kind),
  items: ofStatement.table('the items', ({ items }) => items, explainedItemFields),
  alternatives: ofStatement.orAbsent.boolean(
    'true if it is one of the items, and which one is not known',
    ({ areAlternatives }) => areAlternatives || undefined,
  ),
  field: ofStatement.orAbsent.text('the field of the item', ({ field }) => field),
  type: number('type', 'number of the type'),
  size: number('size', 'ints that items of the type have; 0 if they carry their size'),
  int: number('int', 'index of the int in items of the type'),
  step: number('step', '1 for fields one place too early, -1 for too late'),
  found: number('found', 'ints, items or bytes that there are'),
  expected: number('expected', 'ints that there should be'),
  limit: number('limit', 'items or bytes that a client takes'),
  base: number('base', 'tick of the base that was used; -1 for the empty snapshot'),
  before: number('before', 'how many snapshots earlier'),
  new: number('new', '1 if it is about the items that the base lacks'),
  part: number('part', 'number of the part, from 0'),
  with: number('with', 'number of the part that has its place'),
  bytes: number('bytes', 'bytes of the part'),
  byte: number('byte', 'byte of the delta with the flipped bit'),
  bit: number('bit', 'the bit of that byte, 0 is the lowest'),
  missing: number('missing', 'ints that are missing at the end'),
  unreadable: number('unreadable', 'how many of the deltas cannot be read to their end'),
  packets: number('packets', 'packets that make no sense'),
  compressed: number('compressed', 'packets that are compressed'),
  fits: ofStatement.orAbsent.int('of failures: number of those that it explains', ({ fits }) => fits?.fits),
  of: ofStatement.orAbsent.int('of failures: number of those that were tested', ({ fits }) => fits?.of),
  failures: ofStatement.orAbsent.table(
    'of what is shown of failures: the failures',
    ({ failed }) => failed,
    explainedFailureFields,
  ),
  ...ofStatement.orAbsent.from(({ place }) => (place && place.stream.client !== '' ? place : undefined), {
    client: ofPlace.text('without failures: address of the client', ({ stream }) => stream.client),
    frame: ofPlace.int('without failures: number of the first packet', ({ frame }) => frame),
  }),
  frames: ofStatement.orAbsent.ints(
    'of packets: the numbers of those that make no sense, at most 100',
    ({ place }) => place?.frames,
  ),
  ...ofStatement.orAbsent.from(({ place }) => (place && !place.frames && place.firstTick >= 0 ? place : undefined), {
    snapshots: ofPlace.int('without failures: number of snapshots', ({ count }) => count),
    first_tick: ofPlace.tick('without failures: the first of their ticks', ({ firstTick }) => firstTick),
    last_tick: ofPlace.tick('without failures: the last of their ticks', ({ lastTick }) => lastTick),
  }),
};

const ofLost = fieldsOf<LostRange>();
const ofDemo = fieldsOf<DemoFaults>();

export const demoFaultFields = {
  lost: ofDemo.table('ranges of ticks that are lost or in doubt', ({ losses }) => losses.ranges, {
    from: ofLost.tick('the first tick', ({ from }) => from),
    to: ofLost.orNull.tick('the last tick; null up to the end', ({ to }) => (Number.isFinite(to) ? to : undefined)),
    snapshots: ofLost.int('number of snapshots', ({ snapshots }) => snapshots),
    next: ofLost.orNull.tick('the next tick that can be trusted', ({ next }) => next),
    code: ofLost.orAbsent.text('what is wrong: a code', ({ cause }) => cause?.code),
    offset: ofLost.orAbsent.int('offset of the error', ({ cause }) => cause?.offset),
  }),
  lost_messages: ofDemo.int('messages that cannot be read', ({ losses }) => losses.messages),
  wrong_sizes: ofDemo.int('deltas with the item sizes of another version', ({ wrongSizes }) => wrongSizes),
  map_damaged: ofDemo.boolean('whether the map is not the one that the header names', (faults) => faults.isOtherMap),
  unplayable: ofDemo.names('what the games say that do not play it', ({ unplayable }) =>
    unplayable.map(({ args: { sentence } }) => String(sentence)),
  ),
};

const ofOddity = fieldsOf<Oddity>();

const oddityFields = {
  code: ofOddity.text('what it is: a code', ({ diagnostic }) => diagnostic.code),
  weight: ofOddity.among(['note', 'warning', 'wrong'], 'note, warning or wrong', ({ weight }) => weight),
  count: ofOddity.int('how often it is there', (oddity) => oddity.count),
  frame: ofOddity.orAbsent.int('the packet of the first one; absent in demos', ({ diagnostic }) => diagnostic.frame),
  tick: ofOddity.orAbsent.tick('the tick of the first one; absent before the first tick', ({ tick }) => tick),
  message: ofOddity.text('the same for people', ({ diagnostic }) => diagnosticMessage(diagnostic)),
};

const ofRecording = fieldsOf<RecordingExplanation>();

export const explainFields = {
  file: ofRecording.name('path of the recording or delta, as it was given', ({ file }) => file),
  snapshots: ofRecording.int('snapshots with an announced checksum, or of a demo', ({ snapshots }) => snapshots),
  failures: ofRecording.int(
    'snapshots with another checksum than announced, or that cannot be read',
    ({ failures }) => failures,
  ),
  unreadable: ofRecording.int('snapshots in packets that cannot be read', ({ unreadable }) => unreadable),
  missing_bases: ofRecording.int(
    'snapshots whose base was not captured or never sent',
    (explanation) => explanation.missingBases,
  ),
  explained: ofRecording.int('failures whose cause the bytes show', ({ explanations }) => explainedCount(explanations)),
  shown: ofRecording.table(
    'what the bytes show',
    ({ explanations, findings }) => [
      ...explanations.flatMap((explanation) => statementsOf(explanation, explanation.shown)),
      ...findings.map(statementOf),
    ],
    statementFields,
  ),
  fits: ofRecording.table(
    'what fits the other failures, the best first',
    ({ explanations }) => explanations.flatMap((explanation) => statementsOf(explanation, explanation.fits)),
    statementFields,
  ),
  undecided: ofRecording.table(
    'the failures whose cause the bytes do not show',
    ({ explanations }) => explanations.filter(({ shown }) => shown.length === 0).flatMap(failedOf),
    explainedFailureFields,
  ),
  odd: ofRecording.orAbsent.table(
    'what no game sends, or its receiver drops; absent without any',
    ({ odd = [] }) => (odd.length > 0 ? odd : undefined),
    oddityFields,
  ),
  demo: ofRecording.orAbsent.object('of a faulty demo: what repair would mend', ({ demo }) => demo, demoFaultFields),
};

/** What `explain -t json` prints of a recording, or of a base and a delta. */
export const explainValues = (explanation: RecordingExplanation) => valuesOf(explainFields, explanation);

// A client's log.

const ofError = fieldsOf<CrcError>();
const ofRun = fieldsOf<LogRun>();
const ofUnpack = fieldsOf<readonly [code: number, count: number]>();
const ofDropped = fieldsOf<Omit<DroppedLine, 'kind'> & { readonly count: number }>();
const ofSentence = fieldsOf<Omit<SentenceLine, 'kind'> & { readonly count: number }>();
const ofLog = fieldsOf<LogExplanation & { readonly file: string }>();

export const logFields = {
  file: ofLog.name('path of the log, as it was given', ({ file }) => file),
  runs: ofLog.table('wrong checksums in a row', ({ runs }) => runs, {
    causes: ofRun.names('the causes that the differences allow, the most likely first', (run) => run.causes),
    course: ofRun.among(courses, 'how the difference goes on', ({ course }): Course => course),
    per_tick: ofRun.orAbsent.int('change of the difference for each tick, if it follows the ticks', ({ perTick }) =>
      perTick === 0 ? undefined : perTick,
    ),
    large: ofRun.boolean('whether deltas over few ticks are so large that much is sent in full', (run) => run.isLarge),
    errors: ofRun.table('the lines of the log', ({ errors }) => errors, {
      line: ofError.int('number of the line, from 1', ({ line }) => line),
      tick: ofError.tick('tick of the snapshot', ({ tick }) => tick),
      base: ofError.tick('tick of the base; -1 for a full snapshot', ({ base }) => base),
      difference: ofError.int('wanted − got', differenceOf),
      bytes: ofError.bytes('compressed size of the snapshot', ({ bytes }) => bytes),
    }),
  }),
  unpack_errors: ofLog.table('deltas that could not be unpacked', ({ unpackErrors }) => [...unpackErrors], {
    code: ofUnpack.orNull.int("DDNet's code of the error", ([code]) => (code === 0 ? undefined : code)),
    count: ofUnpack.int('how often', ([, count]) => count),
    causes: ofUnpack.names('the causes that the code allows, the most likely first', ([code]) => unpackCauses(code)),
  }),
  invalid: ofLog.int('snapshots that the client calls invalid', ({ invalid }) => invalid),
  missing_bases: ofLog.int('snapshots whose base the client no longer had', ({ missingBases }) => missingBases),
  dropped: ofLog.table('messages and items that the client dropped', ({ dropped }) => dropped, {
    what: ofDropped.among(['message', 'item'], 'message or item', ({ what }) => what),
    name: ofDropped.name('name, as the client says it', ({ name }) => name),
    number: ofDropped.int('number of the message, or type of the item', (entry) => entry.number),
    field: ofDropped.orAbsent.name('field whose value it refused', ({ field }) => field),
    line: ofDropped.int('number of the first line, from 1', ({ line }) => line),
    count: ofDropped.int('how often', (entry) => entry.count),
  }),
  sentences: ofLog.table('what else the game says', ({ sentences }) => sentences, {
    code: ofSentence.name('which sentence', ({ code }) => code),
    said: ofSentence.text('the sentence, as it stands in the log', ({ said }) => said),
    harmless: ofSentence.boolean('whether the game goes on as if nothing had happened', (entry) => entry.isHarmless),
    line: ofSentence.int('number of the first line, from 1', ({ line }) => line),
    count: ofSentence.int('how often', (entry) => entry.count),
  }),
};

/** What `explain -t json` prints of a log. */
export const logValues = (file: string, log: LogExplanation) => valuesOf(logFields, { ...log, file });
