import type { Diagnostic } from '../../../wire/bytes/diagnostic.ts';
import type { CaptureFrame, Link } from './capture-frame.ts';

/** The seconds by which packets of one interface may be out of order: neighbours change places. */
const ofOne = 0.1;
/** Those of several interfaces: programs write what each has collected, at most a second of it. */
const ofSeveral = 1;

/** Whether the times of a capture run backwards: a clock was set back, or files were joined in another order. */
export class TimeOrder {
  #newest = Number.NEGATIVE_INFINITY;
  #link: Link | undefined;

  /** @returns what is wrong with the time of a packet; only the first one is told */
  check({ time, offset, number: frame }: CaptureFrame, link: Link): Diagnostic | undefined {
    if (time >= this.#newest) {
      this.#newest = time;
      this.#link = link;
    }
    const back = this.#newest - time;
    if (!(back > (link === this.#link ? ofOne : ofSeveral))) return undefined;
    this.#newest = Number.NaN;
    const seconds = Math.round(1e6 * back) / 1e6;
    return { severity: 'warning', code: 'time_backwards', offset, frame, args: { seconds } };
  }
}
