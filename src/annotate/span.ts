import type { Meaning } from '../protocol/meaning.ts';

/** What kind of thing some bytes hold; a view gives each its colour. */
export type Role =
  | 'structure'
  | 'identity'
  | 'position'
  | 'time'
  | 'state'
  | 'number'
  | 'text'
  | 'unknown'
  | 'gap'
  | 'error';

/** The bytes `start` up to `end` and what they say. The spans of an input lie side by side and cover it whole. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly role: Role;
  readonly label: string;
  /** Text is as it was sent: a view has to escape it. */
  readonly value: Content;
  /** Of a type or key: the item it names, `obj_character` or `obj_character 0`. */
  readonly names?: string;
  /** The item it belongs to, as an index into the items of its payload. */
  readonly item?: number;
  readonly symbol?: string;
  readonly quantity?: string;
  /** Where the value is a difference and the base is known: what it was and what it becomes. */
  readonly change?: Change;
}

/** A value as sent; undefined where the ints hold none. */
export type Content = number | string | undefined;

export interface Change {
  readonly old: Content;
  readonly new: Content;
  readonly oldSymbol?: string;
  readonly newSymbol?: string;
  readonly newQuantity?: string;
  /** The step from one to the other in words: `-9.13 tiles`, `+air_jump -jump`, `hammer → gun`. */
  readonly step?: string;
}

export function roleOf(meaning: Meaning): Role {
  switch (meaning.kind) {
    case 'position':
    case 'fixed':
      return 'position';
    case 'tick':
    case 'amount':
      return 'time';
    case 'enum':
    case 'enum_by':
    case 'flags':
    case 'boolean':
      return 'state';
    case 'client':
    case 'uuid':
      return 'identity';
    case 'text':
      return 'text';
    case 'list':
      return roleOf(meaning.of);
    default:
      return 'number';
  }
}
