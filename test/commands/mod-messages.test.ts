import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { encode } from '../../src/api/index.ts';
import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { uuidOfName } from '../../src/wire/protocol/texts.ts';
import { SnapshotBuilder } from '../../src/wire/snapshot/builder.ts';
import { chunk06, ints, packet06 } from '../support/packet-builder.ts';
import { recordsOf, runOn } from '../support/run.ts';

const uuid = uuidOfName('offer@city-mod.example');
const uuidBytes = uuid
  .replaceAll('-', '')
  .match(/../g)!
  .map((pair) => Number.parseInt(pair, 16));
/** Client 3 is offered house 7 until tick 900. */
const offer = [0, ...uuidBytes, ...ints(3, 7), ...Buffer.from('Main street\0'), ...ints(900)];
/** The accounts of clients 3 and 5. */
const accounts = [...ints(60 << 1, 2, 3, 100, 5, -20)];
const packet = packet06([
  chunk06(offer, { vital: true, sequence: 1 }),
  chunk06(accounts, { vital: true, sequence: 2 }),
]);

const files = { demo: demo(), packet, 'mod.json': new Uint8Array(readFileSync('samples/mod-schema.json')) };

/** A sample, and after its last tick both messages. */
function demo(): Uint8Array {
  const writer = new DemoWriter(6);
  for (const bytes of [offer, accounts]) {
    const padded = Uint8Array.from({ length: Math.ceil(bytes.length / 4) * 4 }, (_, i) => bytes[i] ?? 0);
    writer.chunk('message', writer.encode(new Int32Array(padded.buffer)).slice());
  }
  return Uint8Array.from([...readFileSync('samples/vanilla-dm1.demo'), ...writer.flush()]);
}

const run = runOn(files);

describe("a mod's own messages", () => {
  it('are unknown without the schema', async () => {
    const { stdout } = await run('decode packet -t json');
    expect(JSON.parse(stdout).chunks.map(({ message }: { message: { name: string | null } }) => message.name)).toEqual([
      null,
      null,
    ]);
  });

  it('are decoded in packets with their fields', async () => {
    const { status, stdout, stderr } = await run('decode packet -t json --schema mod.json');
    expect([status, stderr]).toEqual([0, 'tw-snap: packet: read as packet · 0.6\n']);
    const messages = JSON.parse(stdout).chunks.map(({ message }: { message: object }) => message);
    expect(messages).toMatchObject([
      { name: 'sv_city_offer', uuid, fields: { client_id: 3, house: 7, text: 'Main street', expires: 900 } },
      {
        name: 'sv_city_accounts',
        id: 60,
        fields: {
          count: 2,
          accounts: [
            { client_id: 3, balance: 100 },
            { client_id: 5, balance: -20 },
          ],
        },
      },
    ]);
    expect((await run('decode packet --schema mod.json')).stdout).toMatch(/sv_city_offer[\s\S]*Main street/);
  });

  it('are dumped and selected by name, UUID and name of the UUID', async () => {
    for (const name of ['sv_city_offer', 'city_offer', uuid, 'offer@city-mod.example']) {
      const { status, stdout } = await run(`dump demo --schema mod.json --type ${name} -t ndjson`);
      const messages = recordsOf(stdout).filter(({ record }) => record === 'message');
      expect(status).toBe(0);
      expect(messages).toMatchObject([{ name: 'sv_city_offer', fields: { house: 7, text: 'Main street' } }]);
    }
  });

  it('have columns of their own in CSV', async () => {
    const { stdout } = await run('dump demo --schema mod.json --type city_offer -t csv');
    const [heading, row] = stdout.split('\n');
    expect(heading).toMatch(/client_id,house,text,expires/);
    expect(row).toMatch(/3,7,Main street,900/);
  });

  it.each([
    ['stats demo', 'sv_city_offer'],
    ['dump demo -t hexdump --ticks last-1s..', 'sv_city_accounts'],
    ['schema', 'sv_city_offer'],
    ['schema sv_city_accounts', '60'],
    ['export demo --tables messages -t csv', 'sv_city_offer'],
  ])("%s shows the mod's messages", async (args, shown) => {
    const { status, stdout } = await run(`${args} --schema mod.json`);
    expect(status).toBe(0);
    expect(stdout).toContain(shown);
    expect((await run(args)).stdout).not.toContain(shown);
  });

  it('are selected without the schema: by UUID, or all by the word unknown', async () => {
    const selected = async (type: string) =>
      recordsOf((await run(`dump demo --type ${type} -t ndjson`)).stdout).filter(({ record }) => record === 'message');
    expect(await selected(uuid)).toMatchObject([{ name: null, uuid }]);
    expect(await selected('unknown')).toMatchObject([
      { name: null, uuid },
      { name: null, id: 60 },
    ]);
    const counted = JSON.parse((await run('stats demo --type unknown -t json')).stdout)[0].messages;
    expect(counted.map(({ name }: { name: string }) => name).sort()).toEqual(
      [`unknown message ${uuid}`, 'unknown message 60'].sort(),
    );
    expect((await run(`stats demo --type ${uuid} -t json`)).stdout).toContain(`unknown message ${uuid}`);
    // Items as well: type 100 is in no table, type 10 of 0.7 is obj_character.
    const both = encode(new SnapshotBuilder().add(10, 3, new Array(22).fill(0)).add(100, 4, [5]).build(), 'packed');
    const { stdout } = await runOn({ both })('decode both -f packed -k snapshot -p 0.7 --type unknown -t json');
    expect(JSON.parse(stdout).items).toMatchObject([{ type: 100, id: 4, data: [5] }]);
  });

  it('are left stdout by edit --strip', async () => {
    const { stdout } = await run('edit demo --schema mod.json --strip sv_city_offer -o cut.demo');
    expect(stdout).toContain('sv_city_offer');
    expect((await run('edit demo --strip sv_city_offer -o cut.demo')).status).toBe(2);
  });
});
