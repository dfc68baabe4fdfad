export type Value = number | string | null | readonly Value[] | Call | Unknown;

export interface Call {
  readonly kind: 'call';
  readonly name: string;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
  readonly line: number;
}

/** A value that is not known, and why. */
interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
  readonly line: number;
}

/** Something that was left out. */
export interface Note {
  readonly line: number;
  readonly text: string;
}

export interface Module {
  readonly names: ReadonlyMap<string, Value>;
  readonly notes: readonly Note[];
}

export const isList = (value: Value | undefined): value is readonly Value[] => Array.isArray(value);
export const isCall = (value: Value | undefined): value is Call =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'call';
export const isUnknown = (value: Value | undefined): value is Unknown =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'unknown';
export const unknown = (line: number, why: string): Unknown => ({ kind: 'unknown', why, line });

/** Bounds for what is computed: the games need a hundredth of it. */
export const [maxLength, maxText, maxDepth, maxChain, maxSteps] = [1 << 14, 1 << 12, 64, 1 << 10, 1 << 20];

export const isTrue = (value: Value) => (isList(value) ? value.length > 0 : Boolean(value));
