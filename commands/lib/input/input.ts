import type { Kind } from '../../../src/decode/payload.ts';
import { noSchema, type Schema, type Version } from '../../../src/protocol/registry.ts';
import type { RecordingFormat } from '../../../src/recording/formats.ts';
import type { Io } from '../io.ts';
import type { InputLimit } from '../options.ts';

/** An opened input: its name, and its format if it is a recording. */
export interface OpenedKind {
  readonly name: string;
  readonly format: RecordingFormat | undefined;
}

/** How the inputs of a command are read. */
export interface Input {
  /** The stated format of a recording or encoding of a payload; undefined if it is recognised, as are the kind and version. */
  readonly from: string | undefined;
  readonly kind: Kind | undefined;
  readonly version: Version | undefined;
  /** Whether it is pasted text; undefined if that is detected. */
  readonly isText: boolean | undefined;
  /** The number of the only packet that is read of a text with several, from 1. */
  readonly nth: number | undefined;
  /** The only client that is read of a capture. */
  readonly client: string | undefined;
  /** Whether it is read on while it grows. */
  readonly follow: boolean;
  /** Whether a warning is a finding. */
  readonly strict: boolean;
  /** The items and messages of a mod. */
  readonly schema: Schema;
  /** The kinds of input that are expected. */
  readonly limits: readonly InputLimit[];
  readonly io: Io;
  /** The inputs so far. */
  readonly opened: OpenedKind[];
}

/** How an input is read whose format and protocol are recognised. */
export const plainInput = (io: Io, schema = noSchema): Input => ({
  from: undefined,
  kind: undefined,
  version: undefined,
  isText: undefined,
  nth: undefined,
  client: undefined,
  follow: false,
  strict: false,
  schema,
  limits: [],
  io,
  opened: [],
});
