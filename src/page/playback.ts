import { ticksPerSecond } from '../protocol/ticks.ts';

/** A longer pause, in milliseconds, between two frames is shortened to this, because the page was not visible. */
const longestFrame = 250;

/** Plays a recording by advancing the time with each frame. */
export class Playback {
  readonly clock = new PlayClock();
  readonly #onTick: (tick: number) => void;
  readonly #onState: () => void;
  #frame: number | undefined;
  #last = 0;

  /**
   * @param onTick is called with each frame
   * @param onState is called when playing starts or ends
   */
  constructor(onTick: (tick: number) => void, onState: () => void) {
    this.#onTick = onTick;
    this.#onState = onState;
  }

  get isPlaying(): boolean {
    return this.#frame !== undefined;
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.#play();
  }

  pause(): void {
    if (this.#frame === undefined) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#onState();
  }

  #play(): void {
    this.clock.start();
    this.#last = performance.now();
    this.#frame = requestAnimationFrame((now) => this.#next(now));
    this.#onState();
  }

  #next(now: number): void {
    const isContinued = this.clock.advance(Math.min(longestFrame, Math.max(0, now - this.#last)));
    this.#last = now;
    if (isContinued) this.#frame = requestAnimationFrame((time) => this.#next(time));
    this.#onTick(this.clock.tick);
    if (!isContinued) this.pause();
  }
}

/** The speeds at which a recording can be played. */
export const speeds = [0.25, 0.5, 1, 2, 4, 8] as const;

/** The current time of playback, in ticks. If a range is set, playback repeats it. */
export class PlayClock {
  #first = 0;
  #last = 0;
  #tick = 0;
  #from: number | undefined;
  #to: number | undefined;
  speed = 1;

  /** The current time, usually a fraction between two ticks. */
  get tick(): number {
    return this.#tick;
  }

  /** The range that is repeated; undefined for the whole recording. */
  get range(): { readonly from: number; readonly to: number } | undefined {
    if (this.#from === undefined && this.#to === undefined) return undefined;
    return { from: this.#from ?? this.#first, to: this.#to ?? this.#last };
  }

  open(first: number, last: number): void {
    [this.#first, this.#last, this.#tick] = [first, last, first];
    this.clearRange();
  }

  seek(tick: number): void {
    this.#tick = Math.max(this.#first, Math.min(tick, this.#last));
  }

  /** Sets the range's start to the current tick. An end that is not later is removed. */
  beginRange(): void {
    this.#from = Math.floor(this.#tick);
    if (this.#to !== undefined && this.#to <= this.#from) this.#to = undefined;
  }

  /** Sets the range's end to the current tick. A start that is not earlier is removed. */
  endRange(): void {
    this.#to = Math.ceil(this.#tick);
    if (this.#from !== undefined && this.#from >= this.#to) this.#from = undefined;
  }

  clearRange(): void {
    [this.#from, this.#to] = [undefined, undefined];
  }

  /** Moves to the start of the recording or range if the current time is at its end or outside it. */
  start(): void {
    const { from, to } = this.range ?? { from: this.#first, to: this.#last };
    if (this.#tick >= to || this.#tick < from) this.#tick = from;
  }

  /**
   * Advances the time.
   * @returns whether playback continues
   */
  advance(milliseconds: number): boolean {
    this.#tick += (milliseconds / 1000) * ticksPerSecond * this.speed;
    const { range } = this;
    if (range && this.#tick >= range.to) this.#tick = range.from;
    if (this.#tick < this.#last) return true;
    this.#tick = this.#last;
    return false;
  }
}
