import { PlayClock } from './play-clock.ts';

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
