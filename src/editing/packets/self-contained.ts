import type { RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { CaptureRewriter, type Rules } from './capture-rewriter.ts';
import { PacketRewriter } from './packet-rewriter.ts';

/*
 * A cut whose snapshots can all be rebuilt in it. The first ones are deltas on snapshots before the cut: these are
 * written on the empty snapshot, so that they state the whole state, until the bases are in the cut themselves.
 *
 *   captured    50 on 44   52 on 46 │ 54 on 48   56 on 50   58 on 54   60 on 56
 *   written                          │ 54 whole   56 whole   58 on 54   60 on 56
 *
 * All other packets stay as they are. A packet with what was not captured says so in its comment; a whole snapshot that
 * has no room in one packet becomes several of the same time. A datagram in fragments becomes one packet, and a snapshot
 * of which parts are outside the cut is left out.
 */

type Write = ConstructorParameters<typeof CaptureRewriter>[3];

/** A message that is not changed needs neither names nor tokens. */
const unchanged = {
  message: (_: unknown, bytes: Uint8Array) => bytes.slice(),
  idle: () => new Uint8Array(0),
  snapshot: () => {},
  text: (text: string) => text,
};
const sameTokens = { token: (token: number) => token };
const sameAddresses = {
  end: (address: string, port: number) => ({ address, port }),
  hardwareAddress: (bytes: Uint8Array) => bytes,
};

export class SelfContainedCut {
  /** The number of snapshots that were written as whole ones. */
  whole = 0;
  readonly #has: (frame: number) => boolean;
  readonly #rewriter: CaptureRewriter;
  /** The ticks of each connection that can be rebuilt in the cut. */
  readonly #ticks = new WeakMap<Stream, Set<number>>();

  /** @param has whether a packet belongs to the cut, and completes its datagram */
  constructor(has: (frame: number) => boolean, write: Write) {
    this.#has = has;
    const packets = new PacketRewriter(unchanged, sameTokens, (entry) => this.#fateOf(entry));
    const rules: Rules = {
      packet: (entry) => (packets.hasSnapshot(entry) ? (packets.add(entry) ?? 'copied') : 'copied'),
      other: () => 'copied',
      cut: () => 'copied',
    };
    this.#rewriter = new CaptureRewriter(packets, rules, sameAddresses, write);
  }

  add(entry: RecordingEntry): void {
    const { frame = 0 } = entry;
    if (frame === 0 || this.#has(frame)) this.#rewriter.add(entry);
  }

  finish(): void {
    this.#rewriter.finish();
  }

  #fateOf({ stream, tick, base, verdict }: SnapshotEntry): 'copied' | 'whole' {
    const ticks = getOr(this.#ticks, stream, () => new Set<number>());
    const hasBase = base === -1 || ticks.has(base);
    const isRebuilt = verdict === 'ok' || verdict === 'unchecked';
    if (isRebuilt) ticks.add(tick);
    if (hasBase || !isRebuilt) return 'copied';
    this.whole++;
    return 'whole';
  }
}
