import { describe, expect, it } from 'vitest';
import { csvHeadOf, csvLineOf } from '../../../src/output/results/field-csv.ts';
import { fieldsOf, pick, valuesOf } from '../../../src/output/results/fields.ts';
import { definitionsOf } from '../../support/json-schema.ts';

interface Part {
  readonly name: string;
  readonly bytes: number | undefined;
}

interface Source {
  readonly count: number;
  readonly first: number;
  readonly names: readonly string[];
  readonly part: Part | undefined;
}

const ofPart = fieldsOf<Part>();
const ofSource = fieldsOf<Source>();

const partFields = {
  name: ofPart.name('its name', ({ name }) => name),
  bytes: ofPart.orNull.bytes('its size', ({ bytes }) => bytes),
};

const fields = {
  count: ofSource.int('how many', ({ count }) => count),
  first: ofSource.orNull.time('when', ({ first }) => first),
  names: ofSource.names('who', ({ names }) => names),
  kind: ofSource.among(['one', 'two'], 'which', () => 'one'),
  part: ofSource.orAbsent.object('the part', ({ part }) => part, partFields),
};

const whole: Source = { count: 3, first: 1.5, names: ['=a', 'b'], part: { name: 'x', bytes: undefined } };
const bare: Source = { count: 0, first: Number.NaN, names: [], part: undefined };

describe('the values of fields', () => {
  it('have the order of the fields; missing ones are null or absent as the field says', () => {
    const values = valuesOf(fields, whole);
    expect(JSON.stringify(values)).toBe(
      '{"count":3,"first":1.5,"names":["=a","b"],"kind":"one","part":{"name":"x","bytes":null}}',
    );
    expect(JSON.stringify(valuesOf(fields, bare))).toBe('{"count":0,"first":null,"names":[],"kind":"one"}');
    // The types are those of the values.
    const count: number = values.count;
    const bytes: number | null | undefined = values.part?.bytes;
    expect([count, bytes]).toEqual([3, null]);
  });

  it('are cells of CSV: what is missing is empty, a list is JSON, and no cell is a formula', () => {
    const some = pick(fields, 'count', 'first', 'names', 'kind');
    expect(csvHeadOf(some)).toBe('count,first,names,kind\n');
    expect(csvLineOf(some, whole)).toBe('3,1.5,"[""=a"",""b""]",one\n');
    expect(csvLineOf(some, bare)).toBe('0,,[],one\n');
    expect(csvLineOf(partFields, { name: '=1', bytes: 2 })).toBe('\\u{3d}1,2\n');
  });

  it('of a part stand in its place, and are all missing without it', () => {
    const flat = { ...pick(fields, 'count'), ...ofSource.orNull.from(({ part }) => part, partFields) };
    expect(valuesOf(flat, whole)).toEqual({ count: 3, name: 'x', bytes: null });
    expect(valuesOf(flat, bare)).toEqual({ count: 0, name: null, bytes: null });
    const absent = ofSource.orAbsent.from(({ part }) => part, pick(partFields, 'name'));
    expect(valuesOf(absent, bare)).toEqual({});
  });

  it('are described by a schema and by rows of the documentation', () => {
    const { whole: schema, part } = definitionsOf({ fields: { whole: fields, part: partFields } });
    expect(schema).toEqual({
      type: 'object',
      properties: {
        count: { description: 'how many', type: 'integer' },
        first: { description: 'when', type: ['number', 'null'] },
        names: { description: 'who', type: 'array', items: { type: 'string' } },
        kind: { description: 'which', enum: ['one', 'two'] },
        part: { description: 'the part', $ref: '#/$defs/part' },
      },
      required: ['count', 'first', 'names', 'kind'],
      additionalProperties: false,
    });
    expect(part).toMatchObject({ required: ['name', 'bytes'] });
  });
});

// What does not compile: an error that is gone fails the check of types.
// @ts-expect-error a value that may be undefined has to say whether it is null or absent then
ofPart.bytes('its size', ({ bytes }) => bytes);
// @ts-expect-error a kind has values of one type
ofPart.int('its name', ({ name }) => name);
// @ts-expect-error there is no such key
pick(fields, 'cuont');
// @ts-expect-error a value among others is one of them
ofSource.among(['one', 'two'], 'which', () => 'three');
// @ts-expect-error an object needs its part
ofSource.object('the part', ({ part }) => part, partFields);
// @ts-expect-error these fields are of another source
valuesOf(partFields, whole);
// @ts-expect-error there is no such key in the values
valuesOf(fields, whole).cuont;
