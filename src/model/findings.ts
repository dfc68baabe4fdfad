import { type Args, type Code, DecodeError, type Diagnostic, type Severity, type Warn } from '../bytes/diagnostic.ts';

/** A place in an input. */
export interface Place {
  /** Byte of the input; `bit` is the bit in it, 0 the lowest, where the input is compressed. */
  readonly offset: number;
  readonly bit?: number;
  /** Byte after decompression, where the input is compressed. */
  readonly unpacked?: number;
}

/** A diagnostic with its place in bytes. */
export interface Finding extends Diagnostic, Place {}

/** Warnings that are kept; of a garbage input the rest is counted. */
const maxWarnings = 200;

/** What the readers of an input say, in bytes of the input. Of errors the first counts: what follows from it is no news. */
export class Findings {
  readonly warnings: Finding[] = [];
  error: Finding | undefined;
  /** Warnings that were not kept. */
  more = 0;

  /** Runs a reader; `place` turns the offsets it speaks of into places. False when it stopped with an error. */
  during(place: (offset: number) => Place, read: (warn: Warn) => void): boolean {
    const finding = (severity: Severity, code: Code, offset: number, args: Args): Finding => ({
      severity,
      code,
      ...place(offset),
      args,
    });
    try {
      read((code, offset, args = {}) => {
        if (this.warnings.length < maxWarnings) this.warnings.push(finding('warning', code, offset, args));
        else this.more++;
      });
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.error ??= finding('error', error.code, error.offset, error.args);
      return false;
    }
  }

  /** The warnings in the order of their places, then the error. */
  get all(): readonly Finding[] {
    const inOrder = this.warnings.toSorted((a, b) => a.offset - b.offset || (a.unpacked ?? 0) - (b.unpacked ?? 0));
    return this.error ? [...inOrder, this.error] : inOrder;
  }

  /** Adds the names of the items that are spoken of. */
  nameItems(nameOf: (type: number) => string | undefined): void {
    const named = (finding: Finding): Finding => {
      const { type, id } = finding.args;
      const name = typeof type === 'number' && id !== undefined ? nameOf(type) : undefined;
      return name === undefined ? finding : { ...finding, args: { ...finding.args, name } };
    };
    this.warnings.splice(0, this.warnings.length, ...this.warnings.map(named));
    if (this.error) this.error = named(this.error);
  }

  copy(): Findings {
    const copy = new Findings();
    copy.warnings.push(...this.warnings);
    copy.error = this.error;
    copy.more = this.more;
    return copy;
  }
}
