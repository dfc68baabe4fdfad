import type { Players } from '../../recording/events/players.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { copyOf } from '../../wire/snapshot/builder.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { Failure, nextOf, type ReceivedDelta } from './failure.ts';
import { hypotheses, invalid } from './hypotheses/index.ts';
import type { Cause, Search, Statement } from './hypothesis.ts';
import { maxNotes, maxOnNewBases, maxTested } from './limits.ts';

export interface FailureNote {
  readonly tick: number;
  readonly base: number;
  readonly frame: number;
  readonly announced: number;
  readonly difference: number | undefined;
  readonly error: Failure['error'];
  readonly isTested: boolean;
  readonly statements: readonly Statement[];
}

/** The causes that say how the bytes are read: their sums are of other readings. */
const ofBytes: ReadonlySet<Cause> = new Set(['damaged', 'mixed_parts', 'other_size', 'text_mode', 'wrong_base']);

/** Consecutive failures of one connection: a client keeps its base until a snapshot is correct again. */
export class Run {
  readonly notes: FailureNote[] = [];
  /** The number of failures, including those that are only counted. */
  count = 0;
  readonly stream: Stream | undefined;
  readonly players: Players;
  /** What was received of the sample, with copies of all data. */
  #copied: ReceivedDelta;
  #sample: Failure | undefined;
  #isSampleShown = false;
  readonly #open: Failure[] = [];

  constructor(stream: Stream | undefined, players: Players, received: ReceivedDelta) {
    this.stream = stream;
    this.players = players;
    this.#copied = copyOfReceived(received);
  }

  /** The first failure, or the first whose bytes show something. Most runs are never asked for it. */
  get sample(): Failure {
    this.#sample ??= new Failure(this.#copied);
    return this.#sample;
  }

  add(received: ReceivedDelta, frame: number, search: Search): void {
    this.count++;
    if (this.notes.length >= maxNotes) return;
    const { tick, base, announced } = received;
    const tested = this.notes.filter((note) => note.isTested);
    const isNewBase = !tested.some((note) => note.base === base);
    const isSelected = tested.length < maxTested || (isNewBase && tested.length < maxOnNewBases);
    const isTested = isSelected && search.test();
    const failure = new Failure(received);
    const { difference, error } = failure;
    const statements = isTested ? statementsOf(failure, search) : [];
    this.notes.push({ tick, base, frame, announced, difference, error, isTested, statements });
    if (isTested) this.#open.push(failure);
    if (this.#isSampleShown || statements.every(({ standing }) => standing === 'fits')) return;
    this.#isSampleShown = true;
    if (this.notes.length > 1) this.#copied = copyOfReceived(received);
  }

  /** Ends the run with a right snapshot, which may confirm or contradict statements. */
  end(snapshot: Snapshot, parts: readonly Uint8Array[]): void {
    const next = nextOf(snapshot, this.#copied.protocol, parts);
    let tested = 0;
    for (const [i, note] of this.notes.entries()) {
      if (!note.isTested) continue;
      const failure = this.#open[tested++]!;
      const kept = note.statements.flatMap((statement): Statement[] => {
        if (!statement.after) return [statement];
        const standing = statement.after(next);
        // What has decided it is not needed any more.
        return standing ? [{ ...statement, standing, after: undefined }] : [];
      });
      for (const { cause, findAfter } of failure.excess === 0 ? hypotheses : []) {
        // Two faults are what remains where no single one fits.
        if (findAfter && (cause !== 'two_faults' || kept.every(isOfDamage))) kept.push(...findAfter(failure, next));
      }
      this.notes[i] = { ...note, statements: kept };
    }
    this.#open.length = 0;
    this.#dropCoincidences();
  }

  #dropCoincidences(): void {
    const times = new Map<string, number>();
    for (const { statements } of this.notes)
      for (const about of new Set(statements.flatMap(({ leastFailures, about }) => (leastFailures ? about : []))))
        times.set(about, (times.get(about) ?? 0) + 1);
    const isEnough = ({ leastFailures = 0, about }: Statement) => leastFailures <= (times.get(about) ?? 0);
    for (const [i, note] of this.notes.entries())
      this.notes[i] = { ...note, statements: note.statements.filter(isEnough) };
  }
}

const isOfDamage = ({ cause }: Statement) => cause === 'damaged';

const copyOfReceived = (received: ReceivedDelta): ReceivedDelta => {
  const { before, payload } = received;
  return { ...received, before: copyOf(before), payload: payload.slice(), stored: [], references: [] };
};

function statementsOf(failure: Failure, search: Search): Statement[] {
  const found = [invalid, ...hypotheses].flatMap(({ find }) => [...find(failure, search)]);
  // Where ints are left over, sums are of what was read wrongly; where sums are no evidence, neither is what they
  // predict.
  return found.flatMap((statement) => {
    if (failure.isUsual || statement.standing !== 'fits' || ofBytes.has(statement.cause)) return statement;
    return failure.excess > 0 ? [] : { ...statement, after: undefined };
  });
}
