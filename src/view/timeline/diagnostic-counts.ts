import type { Diagnostic } from '../../bytes/diagnostic.ts';
import { thousands } from '../text/number.ts';
import type { Phrase, Phrases } from './phrases.ts';

/** Each code has at most this many lines; further diagnostics with the code are counted. */
const maxShown = 3;
/** After this many ticks without a diagnostic, the next ones have their own lines again. */
const calmTicks = 50;

/** Counts repeated diagnostics, because damage can cause the same diagnostic in every later snapshot. */
export class DiagnosticCounts {
  readonly #times = new Map<string, number>();
  readonly #notShown = new Map<string, number>();
  #hasError = false;
  #from = 0;
  #to = Number.NEGATIVE_INFINITY;

  /** Adds a diagnostic and returns whether it has its own line. */
  add(tick: number, { code, severity }: Diagnostic): boolean {
    this.#to = tick;
    const before = this.#times.get(code) ?? 0;
    this.#times.set(code, before + 1);
    if (before < maxShown) return true;
    if (this.#notShown.size === 0) this.#from = tick;
    this.#notShown.set(code, (this.#notShown.get(code) ?? 0) + 1);
    this.#hasError ||= severity === 'error';
    return false;
  }

  /** Whether the damage ended before this tick. */
  isOver(tick: number): boolean {
    return this.#times.size > 0 && Math.abs(tick - this.#to) > calmTicks;
  }

  /** Returns a phrase for the diagnostics without their own lines, and resets the counts. */
  end(phrases: Phrases): { from: number; to: number; phrase: Phrase } | undefined {
    const more = [...this.#notShown].map(([code, times]) => `${thousands(times)} more ${code}`);
    const mark = phrases.mark(this.#hasError ? 'error' : 'warning');
    this.#times.clear();
    this.#notShown.clear();
    this.#hasError = false;
    if (more.length === 0) return undefined;
    const phrase = phrases.compose`${mark} ${more.join(', ')}`;
    return { from: this.#from, to: this.#to, phrase };
  }
}
