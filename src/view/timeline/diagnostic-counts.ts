import type { Diagnostic } from '../../bytes/diagnostic.ts';
import { thousands } from '../text/number.ts';
import type { Phrase, Phrases } from './phrases.ts';

/** Diagnostics of a code that are told before the rest is counted. */
const told = 3;
/** After so many ticks without diagnostics the next are news again. */
const calmTicks = 50;

/** Counts diagnostics where damage brings many: each snapshot behind it says the same. */
export class DiagnosticCounts {
  readonly #told = new Map<string, number>();
  readonly #folded = new Map<string, number>();
  #hasError = false;
  #from = 0;
  #to = Number.NEGATIVE_INFINITY;

  /** Takes a diagnostic; whether it is to be told for itself. */
  add(tick: number, { code, severity }: Diagnostic): boolean {
    this.#to = tick;
    const before = this.#told.get(code) ?? 0;
    this.#told.set(code, before + 1);
    if (before < told) return true;
    if (this.#folded.size === 0) this.#from = tick;
    this.#folded.set(code, (this.#folded.get(code) ?? 0) + 1);
    this.#hasError ||= severity === 'error';
    return false;
  }

  /** Whether the damage is behind. */
  isOver(tick: number): boolean {
    return this.#told.size > 0 && Math.abs(tick - this.#to) > calmTicks;
  }

  /** What was counted and not told; begins anew. */
  end(words: Phrases): { from: number; to: number; phrase: Phrase } | undefined {
    const { theme } = words;
    const more = [...this.#folded].map(([code, times]) => `${thousands(times)} more ${code}`);
    const mark = this.#hasError ? { text: '✗', style: theme.error } : { text: '!', style: theme.warning };
    this.#told.clear();
    this.#folded.clear();
    this.#hasError = false;
    if (more.length === 0) return undefined;
    const phrase = words.say`${mark} ${more.join(', ')}`;
    return { from: this.#from, to: this.#to, phrase };
  }
}
