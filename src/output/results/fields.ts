import { RecordingClock } from '../../recording/replay/clock.ts';

/**
 * What a command finds is described once, as fields: a key, a kind, a meaning, the value, and whether it may be
 * missing.
 *
 *     const ofHeader = fieldsOf<DemoHeader>();
 *     const fields = {
 *       version: ofHeader.int('version of the demo format', ({ version }) => version),
 *       sha256: ofHeader.orNull.text('of the map, since version 6', ({ sha256 }) => sha256),
 *     };
 *     valuesOf(fields, header)     // { version: 6, sha256: null }: the object of JSON, and its type
 *
 * JSON is these values. CSV, the columns of Parquet, the JSON Schemas and the tables of the documentation come from the
 * same fields, so that none of them can say something else. Keys stand in the order of every output.
 *
 * A value that may be undefined has to say what its key does then: `orNull` or `orAbsent`. Without one of them it does
 * not compile.
 */

/** What a kind is in JSON, and in a column. A size may be larger than an int of 32 bits. */
export const kinds = {
  int: { json: 'integer', column: 'int' },
  tick: { json: 'integer', column: 'int' },
  crc: { json: 'integer', column: 'int' },
  bytes: { json: 'integer', column: 'double' },
  /** Not always whole: `bits` of a value that is packed with others. */
  number: { json: 'number', column: 'double' },
  seconds: { json: 'number', column: 'double' },
  /** Seconds since 1970. */
  time: { json: 'number', column: 'double' },
  boolean: { json: 'boolean', column: 'boolean' },
  /** Of a format or of tw-snap. */
  text: { json: 'string', column: 'text' },
  /** A text that a person chose: a player, a map, a file. */
  name: { json: 'string', column: 'text' },
  ints: { json: 'array', column: 'json' },
  names: { json: 'array', column: 'json' },
  /** How often each name occurs. */
  counts: { json: 'object', column: 'json' },
  object: { json: 'object', column: 'json' },
  table: { json: 'array', column: 'json' },
} as const;

type Kind = keyof typeof kinds;

/** What the key of an undefined value does: it is null, or not there. */
type Missing = 'null' | 'absent';

/** A field whose own values are `Value`; in an output it is null or absent according to `Lack`. */
export interface Field<Source = never, Value = unknown, Lack extends Missing | undefined = Missing | undefined> {
  readonly kind: Kind;
  /** With its unit, as the documentation and the schema have it. */
  readonly meaning: string;
  readonly missing: Lack;
  readonly value: (source: Source) => Value | undefined;
  /** All values that there are. */
  readonly among?: readonly string[];
  /** Those of the object, or of a row of the table. */
  readonly fields?: Fields<never>;
}

export type Fields<Source = never> = Readonly<Record<string, Field<Source>>>;

/** Fields that always have a value. */
type KnownFields<Source = never> = Readonly<Record<string, Field<Source, unknown, undefined>>>;

/** The values of fields as an object, as JSON has them. */
export type Values<All> = {
  readonly [Key in keyof All as All[Key] extends Absent ? never : Key]: ValueOf<All[Key]>;
} & {
  readonly [Key in keyof All as All[Key] extends Absent ? Key : never]?: ValueOf<All[Key]>;
};

type Absent = { readonly missing: 'absent' };
type ValueOf<One> =
  One extends Field<never, infer Value, infer Lack> ? Value | (Lack extends 'null' ? null : never) : never;

/** The source that has a value for all of these fields. */
type SourceOf<All> = All[keyof All] extends Field<infer Source> ? Source : never;

/** What may stand in the place of a value. */
type OrUndefined<Lack> = Lack extends Missing ? undefined : never;

type Builder<Source, Value, Lack extends Missing | undefined> = (
  meaning: string,
  value: (source: Source) => Value | OrUndefined<Lack>,
) => Field<Source, Value, Lack>;

type Lists = readonly number[];

interface Builders<Source, Lack extends Missing | undefined> {
  readonly int: Builder<Source, number, Lack>;
  readonly tick: Builder<Source, number, Lack>;
  readonly crc: Builder<Source, number, Lack>;
  readonly bytes: Builder<Source, number, Lack>;
  readonly number: Builder<Source, number, Lack>;
  readonly seconds: Builder<Source, number, Lack>;
  readonly time: Builder<Source, number, Lack>;
  readonly boolean: Builder<Source, boolean, Lack>;
  readonly text: Builder<Source, string, Lack>;
  readonly name: Builder<Source, string, Lack>;
  readonly ints: Builder<Source, Lists, Lack>;
  readonly names: Builder<Source, readonly string[], Lack>;
  readonly counts: Builder<Source, Readonly<Record<string, number>>, Lack>;
  /** One of a few texts. */
  among<const One extends string>(
    among: readonly One[],
    meaning: string,
    value: (source: Source) => NoInfer<One> | OrUndefined<Lack>,
  ): Field<Source, One, Lack> & { readonly among: readonly One[] };
  object<All extends Fields>(
    meaning: string,
    part: (source: Source) => SourceOf<All> | OrUndefined<Lack>,
    fields: All,
  ): Field<Source, Values<All>, Lack>;
  table<All extends Fields>(
    meaning: string,
    rows: (source: Source) => readonly SourceOf<All>[] | OrUndefined<Lack>,
    fields: All,
  ): Field<Source, readonly Values<All>[], Lack>;
  /** The fields of a part of the source, in its place. All of them are missing without the part. */
  from<All extends Lack extends 'absent' ? KnownFields : Fields>(
    part: (source: Source) => SourceOf<All> | OrUndefined<Lack>,
    fields: All,
  ): FromPart<Source, All, Lack>;
}

type FromPart<Source, All, Lack extends Missing | undefined> = {
  readonly [Key in keyof All]: All[Key] extends Field<never, infer Value, infer Own>
    ? Field<Source, Value, Lack extends Missing ? Lack : Own>
    : never;
};

/** What makes the fields of a source. */
export function fieldsOf<Source>(): Builders<Source, undefined> & {
  readonly orNull: Builders<Source, 'null'>;
  readonly orAbsent: Builders<Source, 'absent'>;
} {
  return {
    ...buildersOf<Source, undefined>(undefined),
    orNull: buildersOf<Source, 'null'>('null'),
    orAbsent: buildersOf<Source, 'absent'>('absent'),
  };
}

function buildersOf<Source, Lack extends Missing | undefined>(missing: Lack): Builders<Source, Lack> {
  const of =
    <Value>(kind: Kind): Builder<Source, Value, Lack> =>
    (meaning, value) => ({ kind, meaning, missing, value });
  return {
    int: of('int'),
    tick: of('tick'),
    crc: of('crc'),
    bytes: of('bytes'),
    number: of('number'),
    seconds: of('seconds'),
    time: of('time'),
    boolean: of('boolean'),
    text: of('text'),
    name: of('name'),
    ints: of('ints'),
    names: of('names'),
    counts: of('counts'),
    among: (among, meaning, value) => ({ kind: 'text', meaning, missing, value, among }),
    object: (meaning, part, fields) => ({
      kind: 'object',
      meaning,
      missing,
      fields,
      value(source) {
        const object = part(source);
        return object === undefined ? undefined : valuesOf(fields, object);
      },
    }),
    table: (meaning, rows, fields) => ({
      kind: 'table',
      meaning,
      missing,
      fields,
      value: (source) => rows(source)?.map((row) => valuesOf(fields, row)),
    }),
    from: (part, fields) =>
      mapped(fields, (field) => ({
        ...field,
        missing: missing ?? field.missing,
        value(source: Source) {
          const object = part(source);
          return object === undefined ? undefined : field.value(object as never);
        },
      })) as never,
  };
}

const mapped = (fields: Fields, change: (field: Field) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, change(field)]));

/** Some of these fields, in this order. */
export function pick<All extends Fields, const Key extends keyof All>(fields: All, ...keys: readonly Key[]) {
  return Object.fromEntries(keys.map((key) => [key, fields[key]])) as Pick<All, Key>;
}

/** The value of a field; undefined also for a number that is none: a log without times has no first one. */
function fieldValue<Source>({ kind, value }: Field<Source>, source: Source): unknown {
  const found = value(source);
  if (typeof found !== 'number') return found;
  if (!Number.isFinite(found)) return undefined;
  return kind === 'seconds' ? RecordingClock.rounded(found) : found;
}

export function valuesOf<All extends Fields>(fields: All, source: SourceOf<All>): Values<All> {
  const values: Record<string, unknown> = {};
  for (const key in fields) {
    const field = fields[key]!;
    const value = fieldValue(field, source as never);
    if (value !== undefined) values[key] = value;
    else if (field.missing !== 'absent') values[key] = null;
  }
  return values as Values<All>;
}

export type Cell = number | string | boolean | undefined;

/** The value of a field in a column: a list or an object is JSON. */
export function cellOf<Source>(field: Field<Source>, source: Source): Cell {
  const value = fieldValue(field, source as never);
  return kinds[field.kind].column === 'json' && value !== undefined ? JSON.stringify(value) : (value as Cell);
}
