import { AckRange } from './ack-range.ts';
import { ExpectedToken } from './expected-token.ts';
import { VitalSequence } from './vital-sequence.ts';

/** A packet that waits for the next ones. */
interface HeldPacket {
  readonly bytes: Uint8Array;
  readonly time: number;
  readonly frame: number;
}

/** The state and counts of one direction. */
export class DirectionState {
  sequence: VitalSequence<Uint8Array>;
  token = new ExpectedToken();
  acks = new AckRange();
  /** Packets with an ack out of range: the next ones show whether the games would drop them. */
  readonly held: HeldPacket[] = [];
  packets = 0;
  bytes = 0;
  chunks = 0;

  constructor(last: number | undefined) {
    this.sequence = new VitalSequence(last);
  }

  /** Discards what was inferred from packets that were read in another version. */
  restart(): void {
    this.sequence = new VitalSequence();
    this.token = new ExpectedToken();
    this.acks = new AckRange();
    this.chunks = 0;
  }
}
