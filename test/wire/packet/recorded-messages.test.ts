import { describe, expect, it } from 'vitest';
import { diagnosticLine } from '../../../src/output/phrases/diagnostic-messages.ts';
import { ByteBuffer, IntBuffer } from '../../../src/wire/bytes/buffers.ts';
import { decompress } from '../../../src/wire/codec/huffman.ts';
import { writeInts } from '../../../src/wire/codec/int32.ts';
import { unpackInts } from '../../../src/wire/codec/varint.ts';
import { type Message, messageJson, readMessage } from '../../../src/wire/packet/message.ts';
import { corpusFile, corpusFiles, hasCorpus } from '../../support/corpus.ts';
import { type DemoChunk, demoChunks } from '../../support/demo-chunks.ts';

const demos = corpusFiles(/^(?!.*BENCH).*\.demo$/);

const never = (code: string) => {
  throw new Error(code);
};

/** A message is packed, padded to ints, packed again, and compressed. */
function messageBytes({ payload }: DemoChunk): Uint8Array {
  const [packed, ints, bytes] = [new ByteBuffer(), new IntBuffer(), new ByteBuffer()];
  decompress(payload, 0, payload.length, packed, never, 1 << 20);
  unpackInts(packed.bytes, 0, packed.length, ints, never);
  writeInts(ints.ints, 0, ints.length, bytes);
  return bytes.bytes.subarray(0, bytes.length);
}

function messagesIn(demo: string): readonly Message[] {
  const { chunks, protocol } = demoChunks(corpusFile(demo));
  return chunks
    .filter(({ kind }) => kind === 'message')
    .map((chunk) => {
      const bytes = messageBytes(chunk);
      return readMessage(bytes, 0, bytes.length, protocol, { padded: true });
    });
}

const called = (messages: readonly Message[], name: string) =>
  messages.filter((message) => message.type?.name === name).map((message) => messageJson(message).fields);

describe.skipIf(!hasCorpus)('recordings (needs ../shared)', () => {
  it.each(demos)('%s contains only known and complete messages', (demo) => {
    const messages = messagesIn(demo);
    expect(messages.length).toBeGreaterThan(15);
    for (const message of messages) {
      expect(message.diagnostics.all.map(diagnosticLine)).toEqual([]);
      expect(message.type?.name, `${message.system} ${message.id} ${message.uuid}`).toBeDefined();
      expect(message.padding).toBeLessThan(4);
      expect(message.values.at(-1)?.end ?? message.head.at(-1)!.end).toBe(message.end - message.padding);
    }
  });

  it('contain the recorded chat and events', () => {
    const vanilla = messagesIn('07-vanilla-dm1-auto-markers-client.demo');
    expect(called(vanilla, 'sv_chat').map(({ message }) => message)).toContain('team only ✓ äöü');
    expect(called(vanilla, 'sv_killmsg')[0]).toEqual({ killer: 2, victim: 2, weapon: 3, mode_special: 0 });
    expect(called(vanilla, 'de_cliententer')[0]).toEqual({ name: 'hb0', client_id: 1, team: 0 });

    const race = messagesIn('06-ddnet-race-client-auto.demo');
    expect(called(race, 'sv_record')[0]).toEqual({ server_time_best: 20, player_time_best: 20 });
    const tuning = called(race, 'sv_tuneparams')[0]!;
    expect(tuning).toMatchObject({ gravity: 50, hook_length: 38000, hammer_hit_fire_delay: 32000 });
    expect(tuning).not.toHaveProperty('ground_elasticity_x');
  });
});
