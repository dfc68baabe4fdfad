import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import {
  captureChecksumFields,
  captureLineFields,
  demoChecksumFields,
  demoLineFields,
  singleChecksumFields,
  singleCountsFields,
  singleLineFields,
} from '../../src/output/results/checksum.ts';
import {
  demoFaultFields,
  explainedFailureFields,
  explainedItemFields,
  explainFields,
  logFields,
  statementFields,
} from '../../src/output/results/explain.ts';
import {
  captureFields,
  demoFields,
  ghostFields,
  ghostMapFields,
  infoColumns,
  infoConnectionFields,
  trafficFields,
} from '../../src/output/results/info.ts';
import {
  choices,
  diagnosticFields,
  otherVersionFields,
  unreadableFields,
  unreadableInputFields,
} from '../../src/output/results/shared.ts';
import {
  statsCountFields,
  statsFieldFields,
  statsFields,
  statsItemFields,
  statsPlayerFields,
  statsSecondFields,
} from '../../src/output/results/stats.ts';
import { traceFields, traceSentFields, traceStepFields } from '../../src/output/results/trace.ts';
import { definitionsOf, type Named } from '../support/json-schema.ts';

const docs = join(import.meta.dirname, '../../docs');

/** What several schemas refer to. Its other definitions, of items and packets, are written by hand. */
const common: Named = {
  fields: {
    diagnostic: diagnosticFields,
    otherVersion: otherVersionFields,
    unreadable: unreadableFields,
    unreadableInput: unreadableInputFields,
    ghostMap: ghostMapFields,
  },
  choices,
  records: { unreadable: ['checksum', 'info'], unreadableInput: ['stats', 'explain', 'dump'] },
};

interface Contract {
  readonly title: string;
  readonly own: Named;
  /** What the elements of the array of JSON are. */
  readonly one: readonly string[];
  /** Whether there is one of them instead of an array. */
  readonly isAlone?: boolean;
  /** What the lines of NDJSON are, if there are others. */
  readonly line?: readonly string[];
  /** The columns of CSV. */
  readonly columns?: Readonly<Record<string, { readonly meaning: string }>>;
}

const reference = (name: string) => ({ $ref: name.includes('.json') ? name : `#/$defs/${name}` });

/** The schemas that are made from fields. */
const contracts: Readonly<Record<string, Contract>> = {
  'info.json': {
    title: 'info -t json; a line of info -t ndjson is an element',
    own: {
      fields: {
        demo: demoFields,
        ghost: ghostFields,
        capture: captureFields,
        connection: infoConnectionFields,
        traffic: trafficFields,
      },
      records: { demo: ['info'], ghost: ['info'], capture: ['info'] },
    },
    one: ['demo', 'ghost', 'capture', 'common.json#/$defs/unreadable'],
    columns: infoColumns,
  },
  'stats.json': {
    title: 'stats -t json; a line of stats -t ndjson is an element',
    own: {
      fields: {
        recording: statsFields,
        item: statsItemFields,
        field: statsFieldFields,
        count: statsCountFields,
        player: statsPlayerFields,
        second: statsSecondFields,
      },
      records: { recording: ['stats'] },
    },
    one: ['recording', 'common.json#/$defs/unreadableInput'],
  },
  'explain.json': {
    title: 'explain -t json; a line of explain -t ndjson is an element',
    own: {
      fields: {
        recording: explainFields,
        statement: statementFields,
        failure: explainedFailureFields,
        item: explainedItemFields,
        demo: demoFaultFields,
        log: logFields,
      },
      records: { recording: ['explain'], log: ['explain'] },
    },
    one: ['recording', 'log', 'common.json#/$defs/unreadableInput'],
  },
  'checksum.json': {
    title: 'checksum -t json; line is a line of checksum -t ndjson',
    own: {
      fields: {
        capture: captureChecksumFields,
        demo: demoChecksumFields,
        single: singleChecksumFields,
        singleCounts: singleCountsFields,
        singleLine: singleLineFields,
        demoLine: demoLineFields,
        captureLine: captureLineFields,
      },
      records: {
        ...Object.fromEntries(['capture', 'demo', 'single', 'singleCounts'].map((name) => [name, ['checksum']])),
        ...Object.fromEntries(['singleLine', 'demoLine', 'captureLine'].map((name) => [name, ['snapshot']])),
      },
    },
    one: ['capture', 'demo', 'single', 'singleCounts', 'common.json#/$defs/unreadable'],
    line: [
      ...['capture', 'demo', 'singleCounts', 'singleLine', 'demoLine', 'captureLine'],
      'common.json#/$defs/unreadable',
    ],
  },
  'trace.json': {
    title: 'trace -t json',
    own: { fields: { trace: traceFields, change: traceStepFields, bits: traceSentFields } },
    one: ['trace'],
    isAlone: true,
  },
};

const columnsOf = (columns: Contract['columns'] = {}) => ({
  description: 'a row of -t csv',
  properties: Object.fromEntries(
    Object.entries(columns).map(([name, { meaning }]) => [name, { description: meaning }]),
  ),
});

function schemaOf({ title, own, one: list, isAlone, line, columns }: Contract): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...(isAlone ? reference('one') : { type: 'array', items: reference('one') }),
    $defs: {
      one: { anyOf: list.map(reference) },
      ...(line && { line: { anyOf: line.map(reference) } }),
      ...definitionsOf(own, common),
      ...(columns && { columns: columnsOf(columns) }),
    },
  };
}

const read = (path: string) => readFileSync(join(docs, path), 'utf8');

/** `UPDATE_TABLES=1 npx vitest run test/docs` writes the schemas anew: read what changed. */
function compare(path: string, now: string): void {
  if (process.env.UPDATE_TABLES) writeFileSync(join(docs, path), now);
  else expect(now).toBe(read(path));
}

/** The linter decides about the layout of the file. */
function compareSchemas(path: string, now: object): void {
  if (process.env.UPDATE_TABLES) compare(path, `${JSON.stringify(now, null, 2)}\n`);
  else expect(JSON.stringify(now)).toBe(JSON.stringify(JSON.parse(read(path))));
}

it.each(Object.entries(contracts))('docs/schemas/%s is made from the fields', (name, contract) => {
  compareSchemas(`schemas/${name}`, schemaOf(contract));
});

it('docs/schemas/common.json has the shared fields', () => {
  const schema = JSON.parse(read('schemas/common.json'));
  compareSchemas('schemas/common.json', { ...schema, $defs: { ...schema.$defs, ...definitionsOf(common) } });
});
