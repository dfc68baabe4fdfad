import { type Field, type Fields, kinds } from '../../src/output/results/fields.ts';

/** A JSON Schema, of draft 2020-12. */
type JsonSchema = { readonly [key: string]: unknown };

/** Fields and lists of choices that have a name: a schema refers to them. */
export interface Named {
  readonly fields: Readonly<Record<string, Fields>>;
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** The records of NDJSON that are these objects, by the name of the fields: a line has `record` first. */
  readonly records?: Readonly<Record<string, readonly string[]>>;
}

/** What finds the reference to something with a name. */
type ReferenceTo = (what: Fields | readonly string[]) => JsonSchema | undefined;

/**
 * The definitions of a schema: an object for each of `own`. What `own` or `shared` name is referred to; all else is
 * written in its place.
 */
export function definitionsOf(own: Named, shared?: Named): Record<string, JsonSchema> {
  const references = new Map<unknown, JsonSchema>();
  const name = ({ fields, choices = {} }: Named, file: string) => {
    for (const [key, what] of [...Object.entries(fields), ...Object.entries(choices)]) {
      references.set(what, { $ref: `${file}#/$defs/${key}` });
    }
  };
  if (shared) name(shared, 'common.json');
  name(own, '');
  const referenceTo: ReferenceTo = (what) => references.get(what);
  const choices = Object.entries(own.choices ?? {}).map(([key, among]) => [key, { enum: among }]);
  const objects = Object.entries(own.fields).map(([key, fields]) => [
    key,
    objectSchema(fields, referenceTo, own.records?.[key]),
  ]);
  return Object.fromEntries([...choices, ...objects]);
}

const oneOf = (among: readonly string[]): JsonSchema => (among.length === 1 ? { const: among[0] } : { enum: among });

function objectSchema(fields: Fields, referenceTo: ReferenceTo, records?: readonly string[]): JsonSchema {
  const entries = Object.entries<Field>(fields);
  const properties = entries.map(([key, field]) => [key, fieldSchema(field, referenceTo)] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(records ? [['record', oneOf(records)], ...properties] : properties),
    required: entries.filter(([, { missing }]) => missing !== 'absent').map(([key]) => key),
    additionalProperties: false,
  };
}

function fieldSchema(field: Field, referenceTo: ReferenceTo): JsonSchema {
  return { description: field.meaning, ...orNull(valueSchema(field, referenceTo), field) };
}

/** A schema that also allows null, if the field may be null. */
function orNull(schema: JsonSchema, { missing }: Field): JsonSchema {
  if (missing !== 'null') return schema;
  const { type, ...rest } = schema;
  const isPlain = typeof type === 'string' && Object.keys(rest).length === 0;
  return isPlain ? { type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] };
}

function valueSchema({ kind, among, fields }: Field, referenceTo: ReferenceTo): JsonSchema {
  if (among) return referenceTo(among) ?? oneOf(among);
  const object = fields && (referenceTo(fields) ?? objectSchema(fields, referenceTo));
  switch (kind) {
    case 'object':
      return object!;
    case 'table':
      return { type: 'array', items: object };
    case 'ints':
      return { type: 'array', items: { type: 'integer' } };
    case 'names':
      return { type: 'array', items: { type: 'string' } };
    case 'counts':
      return { type: 'object', additionalProperties: { type: 'integer' } };
    default:
      return { type: kinds[kind].json };
  }
}
