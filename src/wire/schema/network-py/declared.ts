import type { MessageFieldType } from '../../protocol/message-type.ts';
import type { OpenBounds } from '../../protocol/registry.ts';
import type { Value } from '../python/value.ts';

/** An item or message as it is declared. */
export interface Declaration {
  readonly kind: 'object' | 'event' | 'message';
  readonly name: string;
  /** Its name in the tables: `obj_character`. */
  readonly label: string;
  readonly base: string | undefined;
  readonly uuidName: string | undefined;
  /** Undefined for one with a UUID. */
  readonly number: number | undefined;
  readonly fields: readonly Value[];
  readonly line: number;
}

/** A field. In an item, `type` never holds bytes or strings. */
export interface DeclaredField {
  readonly name: string;
  readonly type: MessageFieldType;
  readonly absent?: number | undefined;
  /** Whether it has a default. */
  readonly isOptional: boolean;
  /** The bounds that are constants of another file. */
  readonly open: OpenBounds;
}
