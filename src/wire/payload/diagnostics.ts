import { attempt, type Code, DecodeError, type Diagnostic, type Place, type Warn } from '../bytes/diagnostic.ts';

/** Warnings that are kept; more are only counted. */
const maxWarnings = 200;

/** Collects the diagnostics of one input. Only the first error is kept; later ones are consequences. */
export class Diagnostics {
  readonly warnings: Diagnostic[] = [];
  error: Diagnostic | undefined;
  /** The first errors of parts that do not depend on the one with `error`. */
  readonly otherErrors: Diagnostic[] = [];
  more = 0;

  /** Runs a reader; `place` turns its offsets into positions in the input. False if it stopped with an error. */
  run(place: (offset: number) => Place, read: (warn: Warn) => void): boolean {
    const warn: Warn = (code, offset, args = {}) => {
      if (this.warnings.length < maxWarnings) this.warnings.push({ severity: 'warning', code, ...place(offset), args });
      else this.more++;
    };
    const error = attempt(() => read(warn));
    if (!(error instanceof DecodeError)) return true;
    this.stop(place, error);
    return false;
  }

  /** Notes the error with which a reader stopped. */
  stop(place: (offset: number) => Place, { code, offset, args }: DecodeError): void {
    this.error ??= { severity: 'error', code, ...place(offset), args };
  }

  /** The warnings by position, then the errors. */
  get all(): readonly Diagnostic[] {
    const inOrder = this.warnings.toSorted((a, b) => a.offset - b.offset || (a.unpacked ?? 0) - (b.unpacked ?? 0));
    return this.error ? [...inOrder, this.error, ...this.otherErrors] : inOrder;
  }

  get codes(): ReadonlySet<Code> {
    const { warnings, error, otherErrors } = this;
    return new Set([...warnings, ...(error ? [error] : []), ...otherErrors].map(({ code }) => code));
  }

  /**
   * Adds those of a part that was read separately, at positions in the whole. The error of one that is cut (`isCut`)
   * only repeats that.
   */
  addPart(part: Diagnostics, place: (offset: number) => Place, isCut: boolean): void {
    const moved = (diagnostic: Diagnostic): Diagnostic => ({ ...diagnostic, ...place(diagnostic.offset) });
    this.warnings.push(...part.warnings.map(moved));
    this.more += part.more;
    if (part.error && !isCut) this.addError(moved(part.error));
  }

  addError(error: Diagnostic): void {
    if (this.error) this.otherErrors.push(error);
    else this.error = error;
  }

  /** Adds the names of the items that the diagnostics are about. */
  nameItems(nameOf: (type: number) => string): void {
    for (const { args } of this.error ? [...this.warnings, this.error] : this.warnings) {
      if (typeof args.type !== 'number' || args.id === undefined) continue;
      (args as Record<string, unknown>).name = nameOf(args.type);
    }
  }

  copy(): Diagnostics {
    const copy = new Diagnostics();
    // Names are written into the arguments, and another version has other names.
    const own = (diagnostic: Diagnostic): Diagnostic => ({ ...diagnostic, args: { ...diagnostic.args } });
    copy.warnings.push(...this.warnings.map(own));
    copy.error = this.error && own(this.error);
    copy.otherErrors.push(...this.otherErrors);
    copy.more = this.more;
    return copy;
  }
}
