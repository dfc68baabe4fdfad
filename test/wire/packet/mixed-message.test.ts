import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { TickJudge } from '../../../src/recording/judge/tick-judge.ts';
import {
  headCertainty,
  readMixedHead,
  readMixedMessage,
  versionCertainty,
} from '../../../src/wire/packet/mixed-message.ts';
import { readMessageContents, readPacketContents } from '../../../src/wire/packet/packet-contents.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import { chunk07, packet07 } from '../../support/packet-builder.ts';
import { messageBytes, messageOf } from '../../support/recording.ts';

type Values = readonly (number | string)[];

const tuning = (isLaserDamage: boolean): Values => {
  const before = Array.from({ length: 30 }, (_, i) => 100 * (i + 1));
  return [...before, ...(isLaserDamage ? [500] : []), 100, 100, 40000, 1000, 600, 0];
};

describe('a message in a demo with clients of both versions', () => {
  it.each<['0.6' | '0.7', string, Values]>([
    ['0.6', 'snap_single', [100, 2, 12345, 3, '\x01\x02']],
    ['0.7', 'snap_single', [100, 2, 12345, 3, '\x01\x02']],
    ['0.6', 'snap_empty', [100, 2]],
    ['0.7', 'snap_empty', [100, 2]],
    ['0.6', 'input_timing', [100, 12]],
    ['0.7', 'input_timing', [100, 12]],
    ['0.6', 'rcon_auth_status', [1, 1]],
    ['0.6', 'rcon_line', ['hello']],
    ['0.7', 'rcon_line', ['hello']],
    ['0.7', 'rcon_cmd_add', ['tune', 'Tune a variable', 's']],
    ['0.7', 'con_ready', []],
    ['0.6', 'sv_killmsg', [3, 4, -2, 0]],
    ['0.7', 'sv_killmsg', [3, 4, -2, 0]],
    ['0.7', 'sv_team', [3, 1, 0, 500]],
    ['0.7', 'sv_voteset', [3, 1, 25, 'Kick somebody', 'no reason']],
    ['0.6', 'sv_voteset', [25, 'Kick somebody', 'no reason']],
    ['0.6', 'sv_tuneparams', tuning(true)],
    ['0.7', 'sv_tuneparams', tuning(false)],
  ])('%s %s is read in its own version', (version, name, values) => {
    const message = readMixedMessage(messageBytes(version, name, values), protocolOf('0.6'), { padded: true });
    expect([message.type?.name, message.version ?? '0.6']).toEqual([name, version]);
  });

  it('has the same head read alone as read with its values, whatever its bytes are', () => {
    const numbers = fc.integer({ min: 0, max: 40 }).map((int) => Uint8Array.of(int));
    const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 2, 0x40, 0x80)), {
      maxLength: 16,
    });
    const check = (head: Uint8Array, rest: readonly number[], padded: boolean) => {
      const bytes = Uint8Array.from([...head, ...rest]);
      const alone = readMixedHead(bytes, protocolOf('0.6'), { padded });
      if (!alone) return;
      const message = readMixedMessage(bytes, protocolOf('0.6'), { padded });
      const { system, id, type, version } = message;
      expect([alone.system, alone.id, alone.type, alone.version]).toEqual([system, id, type, version]);
      const certainty = headCertainty(alone, bytes, protocolOf('0.6'), { padded });
      if (certainty) expect(certainty).toBe(versionCertainty(message, bytes, protocolOf('0.6'), { padded }));
    };
    fc.assert(fc.property(numbers, values, fc.boolean(), check), { numRuns: 5000, seed: 1 });
  });

  it.each<['0.6' | '0.7', string, Values]>([
    ['0.6', 'snap_single', [100, 2, 12345, 3, '\x01\x02']],
    ['0.7', 'snap_single', [100, 2, 12345, 3, '\x01\x02']],
    ['0.7', 'snap_empty', [100, 2]],
    ['0.6', 'input_timing', [100, 12]],
  ])('%s %s needs no list of its values for its head', (version, name, values) => {
    const head = readMixedHead(messageBytes(version, name, values), protocolOf('0.6'), { padded: true });
    expect([head?.type?.name, head?.version ?? '0.6']).toEqual([name, version]);
  });

  it('of DDNet to a client of 0.7 has the tune params of 0.6', () => {
    const bytes = messageBytes('0.6', 'sv_tuneparams', tuning(true));
    expect(readMixedMessage(bytes, protocolOf('0.7'), { padded: true }).version).toBe('0.6');
    // `dump -t hexdump`, `decode` and the page read it so, too, alone or after other bytes.
    const alone = messageOf('0.6', 'sv_tuneparams', tuning(true));
    const read = readMessageContents(Uint8Array.from(alone), protocolOf('0.7')).messages[0]!.message;
    const packet = packet07([chunk07(alone)]);
    const inPacket = readPacketContents(packet, protocolOf('0.7')).messages[0]!.message;
    for (const { values } of [read, inPacket]) {
      const sent = (name: string) => values.find((value) => value.name === name)?.value;
      expect([sent('laser_damage'), sent('player_collision'), sent('jetpack_strength')]).toEqual([500, 100, 40000]);
    }
    expect(inPacket.values[0]!.start - read.values[0]!.start).toBe(packet.length - alone.length);
  });
});

describe('how sure the version of a message is', () => {
  it.each<[string, '0.6' | '0.7', string, Values, string]>([
    ['0.6 has no system message with this number', '0.7', 'rcon_cmd_add', ['tune', 'Tune a variable', 's'], 'certain'],
    ['the same in both versions', '0.6', 'sv_motd', ['hello'], 'certain'],
    [
      '0.7 reads it with a value that no server sends',
      '0.6',
      'sv_voteset',
      [25, 'Kick somebody', 'no reason'],
      'likely',
    ],
    // As 0.6: a kill with weapon 0 whose mode_special is a tick.
    ['0.6 reads it with a value that no server sends', '0.7', 'sv_team', [3, 1, 0, 500], 'likely'],
    // As 0.7: client 5 joins team 1, not silent, with a cooldown until tick 0.
    ['both make sense', '0.6', 'sv_killmsg', [5, 1, 0, 0], 'ambiguous'],
  ])('%s: %s %s', (_, version, name, values, certainty) => {
    const [bytes, stated, options] = [messageBytes(version, name, values), protocolOf('0.6'), { padded: true }];
    const message = readMixedMessage(bytes, stated, options);
    expect([message.type?.name, message.version ?? '0.6']).toEqual([name, version]);
    expect(versionCertainty(message, bytes, stated, options)).toBe(certainty);
  });

  it('a message that makes sense in no version is of neither', () => {
    const bytes = messageBytes('0.6', 'sv_killmsg', [500, 500, 0, 5000]);
    const [stated, options] = [protocolOf('0.6'), { padded: true }];
    const message = readMixedMessage(bytes, stated, options);
    expect(versionCertainty(message, bytes, stated, options)).toBe('neither');
  });
});

describe.skipIf(!hasCorpus)('recorded demos (needs ../shared)', () => {
  it('a server demo with clients of 0.7 has no message that is unknown or leaves bytes over', () => {
    const replay = new DemoReplay();
    const counts: Record<string, number> = {};
    for (const records of [
      replay.feed(corpusFile('ddnet20/06-07-mixed-ddnet20-coverage-server.demo')),
      replay.finish(),
    ]) {
      for (const entry of records) {
        if (entry.record !== 'message') continue;
        const { head } = entry;
        const { type, version = '0.6', diagnostics } = entry.message;
        expect([head.type, head.version ?? '0.6']).toEqual([type, version]);
        expect([type === undefined, diagnostics.all]).toEqual([false, []]);
        const key = `${version} ${type?.name}`;
        counts[key] = (counts[key] ?? 0) + 1;
      }
    }
    // Two clients of 0.7 and one of 0.6 receive the same number of snapshots.
    expect(counts['0.7 snap_single']).toBe(2 * counts['0.6 snap_single']!);
    expect(counts['0.6 rcon_auth_status']).toBeUndefined();
  });

  it.each([
    ['06-ddnet-race-playerdemo-racer.demo', 122],
    ['06-ddnet-tutorial-playerdemo-unfinished.demo', 587],
    ['ddnet20/06-ddnet20-playerdemo-zed2.demo', 112],
    ['ddnet20/07-in-06-ddnet20-playerdemo-vanny.demo', 377],
    ['ddnet20/06-07-mixed-ddnet20-coverage-server.demo', 0],
  ])('%s announces %d checksums in its own messages, and all match', (name, ok) => {
    const replay = new DemoReplay({ messages: false, announcements: true });
    const judge = new TickJudge();
    for (const records of [replay.feed(corpusFile(name)), replay.finish()]) {
      for (const entry of records) judge.add(entry);
    }
    judge.finish();
    expect([judge.sums.announced, judge.snapshots.confirmed, judge.snapshots.doubtful]).toEqual([ok, ok, 0]);
  });
});
