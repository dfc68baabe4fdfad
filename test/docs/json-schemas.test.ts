import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { recordsOf, run } from '../support/run.ts';
import { names, samples as payloads, read, shortCapture, shortDemo } from '../support/samples.ts';

const folder = join(import.meta.dirname, '../../docs/schemas');
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictTypes: false });
for (const name of readdirSync(folder)) ajv.addSchema(JSON.parse(readFileSync(join(folder, name), 'utf8')), name);

/** What a value has that its schema does not say, or lacks. */
function faults(schema: string, value: unknown): string {
  const validate = ajv.getSchema(schema);
  if (!validate) throw new Error(`no schema ${schema}`);
  validate(value);
  return (validate.errors ?? [])
    .map((error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`)
    .join('\n');
}

const half = (bytes: Uint8Array) => bytes.slice(0, bytes.length >> 1);
const flipped = (bytes: Uint8Array) => bytes.map((byte, i) => (i > 5000 && i % 5003 === 0 ? byte ^ 0x55 : byte));
const samples: Readonly<Record<string, Uint8Array>> = {
  ...Object.fromEntries(names.map((name) => [name, read(name)])),
  'vanilla-dm1.demo': shortDemo(),
  'ddnet-ipv6.pcap': shortCapture(),
};
const recordings = names.filter((name) => /\.(demo|pcap)$/.test(name));
const damaged = Object.fromEntries(
  recordings.flatMap((name) => [
    [`half.${name}`, half(samples[name]!)],
    [`flipped.${name}`, flipped(samples[name]!)],
  ]),
);
const files = { ...samples, ...damaged, list: new TextEncoder().encode('5  first.huff\n6  nowhere\n') };
/** One of each version and container, whole and damaged: together they have all keys that the records of all samples have. */
const few =
  'ddnet-race-player.demo flipped.vanilla-dm1.demo half.ddnet-ipv6.pcap flipped.vanilla-ctf-timeout.pcap nowhere';

describe.each([
  ['info.json', `info ${few}`],
  ['stats.json', `stats ${few}`],
  ['explain.json', `explain ${few} duplicate-key.pcap duplicate-key.log`],
  ['checksum.json', `checksum ${few} ${payloads.join(' ')} --base empty`],
  ['checksum.json', `checksum ${few} --messages`],
  ['checksum.json', `checksum ${few} --summary`],
])('%s: %s', (schema, line) => {
  it('-t json', async () => {
    const { stdout } = await run(`${line} -t json`, files);
    const value = JSON.parse(stdout);
    expect(value.length).toBeGreaterThan(1);
    expect(faults(schema, value)).toBe('');
    expect(value.filter((entry: object) => 'record' in entry)).toEqual([]);
  });

  it('-t ndjson', async () => {
    const { stdout } = await run(`${line} -t ndjson`, files);
    const element = schema === 'checksum.json' ? 'line' : 'one';
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((text) => !/^\{"record":"[a-z]+",/.test(text))).toEqual([]);
    expect(lines.flatMap((text) => faults(`${schema}#/$defs/${element}`, JSON.parse(text)) || [])).toEqual([]);
  });
});

describe('trace.json', () => {
  it.each([
    'trace vanilla-dm1.demo@0:10 obj_character/0.weapon',
    'trace vanilla-dm1.demo obj_de_client_info/0.name',
    'trace ddnet-ipv6.pcap obj_character/0.x',
  ])('%s', async (line) => {
    const { stdout } = await run(`${line} -t json`, files);
    expect(faults('trace.json', JSON.parse(stdout))).toBe('');
  });
});

describe('dump.json', () => {
  it.each(['', '--changes', '--type sv_chat', '--no-messages', '--events'])('dump -t ndjson %s', async (options) => {
    // What an option leaves out, it leaves out of one record as of another.
    const some = options === '' || options === '--events' ? few : 'flipped.vanilla-dm1.demo half.ddnet-ipv6.pcap';
    const { stdout } = await run(`dump ${some} -t ndjson ${options}`, files);
    const records = recordsOf(stdout);
    expect(
      records.flatMap((record) => {
        const found = faults('dump.json', record);
        return found === '' ? [] : [`${JSON.stringify(record).slice(0, 200)}\n${found}`];
      }),
    ).toEqual([]);
    const seen = new Set(records.map(({ record }) => record));
    expect(seen.size).toBeGreaterThan(options === '--events' ? 0 : 2);
  });

  it.each([...payloads, 'nowhere'])('dump -t ndjson %s', async (name) => {
    const records = recordsOf((await run(`dump ${name} -t ndjson`, files)).stdout);
    expect(records).not.toEqual([]);
    expect(records.map((record) => faults('dump.json', record)).filter(Boolean)).toEqual([]);
  });
});

it.each([
  ...payloads.map((name) => ['decode.json', `decode ${name}`]),
  ...recordings.flatMap((name) => ['first', 'last', 'last-1s'].map((at) => ['decode.json', `decode ${name}@${at}`])),
  ...recordings.map((name) => ['decode.json', `decode ${name}@last -k snapshot`]),
  ...recordings
    .filter((name) => name.endsWith('.pcap'))
    .flatMap((name) => Array.from({ length: 13 }, (_, i) => ['decode.json', `decode ${name}#${3 * i + 1}`])),
  ['decode.json', 'apply empty first.huff'],
  ['diff.json', 'diff vanilla-dm1.demo@first vanilla-dm1.demo@last'],
  ['diff.json', 'diff ddnet-race-player.demo ddnet-race-player.demo --player racer'],
  ['diff.json', 'diff ddnet-race-player.demo@first ddnet-race-player.demo@last'],
  ...['', '-p 0.5', '-p 0.6', '-p 0.7', 'character', 'sv_chat', 'HOOK_FLYING', 'a@mod.example'].map((words) => [
    'schema.json',
    `schema ${words}`,
  ]),
  ...[
    'mod-network.json mod-network-next.json',
    'mod-network.json built-in',
    'built-in mod-schema.json',
    'built-in built-in',
  ].map((words) => ['schema.json', `schema --diff ${words}`]),
  ['stats.json', 'stats vanilla-dm1.demo ddnet-ipv6.pcap --budget budget.json'],
])('%s: %s', async (schema, line) => {
  const { stdout, stderr } = await run(`${line} -t json`, files);
  expect(stdout, stderr).not.toBe('');
  expect(faults(schema!, JSON.parse(stdout))).toBe('');
});

it('export.json: the summary of export', async () => {
  const { stdout } = await run(`export ${few} -o out --summary json`, files);
  expect(faults('export.json', JSON.parse(stdout))).toBe('');
});

it('a key that no schema has is a fault', async () => {
  const [info] = JSON.parse((await run('info vanilla-dm1.demo -t json', files)).stdout);
  expect(faults('info.json', [{ ...info, more: 1 }])).toContain('"additionalProperty":"more"');
  expect(faults('info.json', [{ ...info, map: { ...info.map, more: 1 } }])).toContain('"additionalProperty":"more"');
});

describe('schema -t json-schema', () => {
  it.each([
    ['vanilla-ctf-timeout.pcap', '0.7'],
    ['ddnet-race-player.demo', '0.6'],
    ['ddnet-ipv6.pcap', '0.6'],
  ])('describes the fields of all items and messages of %s', async (name, version) => {
    const schema = JSON.parse((await run(`schema -t json-schema -p ${version}`)).stdout);
    const fields = new Ajv2020({ strict: true }).addSchema(schema, 'fields');
    const { stdout } = await run(`dump ${name} -t ndjson`, files);
    let count = 0;
    for (const record of recordsOf(stdout)) {
      for (const entry of record.record === 'message' ? [record] : (record.items ?? [])) {
        if (!entry.name || !entry.fields) continue;
        const validate = fields.getSchema(`fields#/$defs/${entry.name}`)!;
        if (!validate(entry.fields)) expect([entry.name, validate.errors]).toEqual([entry.name, null]);
        if (count++ === 0) expect(validate({ ...entry.fields, more: 1 })).toBe(false);
      }
    }
    expect(count).toBeGreaterThan(1000);
  });

  it('is of one version', async () => {
    expect(await run('schema -t json-schema')).toMatchObject({ status: 2, stdout: '' });
  });
});
