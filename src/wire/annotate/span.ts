import type { MessageFieldType } from '../protocol/message-type.ts';

export const roles = [
  'structure',
  'identity',
  'position',
  'time',
  'state',
  'number',
  'text',
  'unknown',
  'gap',
  'error',
] as const;
/** The kind of content of some bytes; a view has a colour for each. */
export type Role = (typeof roles)[number];

/**
 * The bytes from `start` up to `end` and their meaning. The spans of an input are contiguous and cover it completely.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly role: Role;
  readonly label: string;
  /** Text is unescaped, as it was sent. */
  readonly value: Content;
  /**
   * Whether the value is the difference to an unknown base; it is shown with its sign, and has no symbol or quantity.
   */
  readonly isDifference?: boolean | undefined;
  readonly isOffset?: true | undefined;
  /** The item that a type or key identifies, `obj_character` or `obj_character 0`. */
  readonly names?: string | undefined;
  /** The item it belongs to, as an index into the items of its payload. */
  readonly item?: number | undefined;
  readonly symbol?: string | undefined;
  readonly quantity?: string | undefined;
  /** The values before and after, where the value is a difference and the base is known. */
  readonly change?: Change | undefined;
}

/** A value as sent. A text that can't be read as one is the list of its ints; undefined where the ints end before it. */
export type Content = number | string | readonly number[] | undefined;

/** A value before and after a delta. */
export interface Change {
  readonly old: Content;
  readonly new: Content;
  readonly oldSymbol?: string | undefined;
  readonly newSymbol?: string | undefined;
  /** The difference between the two: `-9.13 tiles`, `+air_jump -jump`, `hammer → gun`. */
  readonly step?: string | undefined;
}

const kindsOfRoles: Readonly<Partial<Record<Role, readonly MessageFieldType['kind'][]>>> = {
  position: ['position', 'fixed'],
  time: ['tick', 'amount'],
  state: ['enum', 'enum_by', 'flags', 'boolean'],
  identity: ['client', 'uuid'],
  text: ['text', 'string'],
};
const rolesOfKinds = new Map(
  Object.entries(kindsOfRoles).flatMap(([role, kinds]) => kinds.map((kind) => [kind, role as Role] as const)),
);

export const roleOf = (meaning: MessageFieldType): Role =>
  meaning.kind === 'list' || meaning.kind === 'repeat'
    ? roleOf(meaning.of)
    : (rolesOfKinds.get(meaning.kind) ?? 'number');
