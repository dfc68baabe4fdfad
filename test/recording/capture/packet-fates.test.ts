import { describe, expect, it } from 'vitest';
import { diagnosticMessage } from '../../../src/output/phrases/diagnostic-messages.ts';
import { fateText } from '../../../src/output/phrases/recording-phrases.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { maxAhead, maxAheadBytes } from '../../../src/recording/replay/limits.ts';
import { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';
import { getOr } from '../../../src/wire/bytes/get-or.ts';
import { type Bytes, file, text } from '../../support/bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, someTime, udp, v4 } from '../../support/capture-builder.ts';
import { mapChange, playerItems, snapshotMessage } from '../../support/made-capture.ts';
import { chunk06, ints, packet06 } from '../../support/packet-builder.ts';

// What CNetRecvUnpacker::FetchChunk takes: only the next number. What is early sets the flag to send again, and is dropped.

const token = [0x0a, 0x0b, 0x0c, 0x0d];
const control = (...bytes: Bytes) => Uint8Array.from([0x10, 0, 0, ...bytes]);

interface Sent {
  readonly at: number;
  readonly from: 'client' | 'server';
  readonly packet: Uint8Array;
}

/** A message that names itself: chat of a client. */
const say = (sequence: number, message = `say ${sequence}`) =>
  chunk06([...ints(17 << 1, 0), ...text(message), 0], { vital: true, sequence });
const sayAgain = (sequence: number) =>
  chunk06([...ints(17 << 1, 0), ...text(`say ${sequence}`), 0], { vital: true, sequence, resend: true });
const enter = (sequence: number) => chunk06(ints((15 << 1) | 1), { vital: true, sequence });
const client = (at: number, ...chunks: Bytes[]): Sent => ({ at, from: 'client', packet: packet06(chunks, { token }) });
const tuning = chunk06(ints(5 << 1, 1));
const server = (at: number, ack: number, resend = false): Sent => {
  return { at, from: 'server', packet: packet06([tuning], { token, ack, resend }) };
};

/** Frames 1 to 5: the handshake, and a first chunk that is acknowledged within 30 ms. */
const begin: readonly Sent[] = [
  { at: 0, from: 'client', packet: control(1, ...text('TKEN'), 255, 255, 255, 255) },
  { at: 0.01, from: 'server', packet: control(2, ...text('TKEN'), ...token) },
  { at: 0.02, from: 'client', packet: control(3, ...token) },
  client(0.1, say(1)),
  server(0.13, 1),
];

/** A packet that is sent thousands of times is built once. */
const frames = new WeakMap<Uint8Array, Bytes>();

const captureOf = (packets: readonly Sent[]) =>
  file(
    pcapHeader(),
    ...packets.map(({ from, packet, at }) => {
      const ports = from === 'client' ? [50000, 8303] : [8303, 50000];
      const frame = getOr(frames, packet, () => ethernet(v4, ipv4(udp([...packet], ports[0], ports[1]))));
      return pcapRecord(frame, {
        seconds: someTime + Math.floor(at),
        fraction: Math.round((at % 1) * 1e6),
      });
    }),
  );

function read(packets: readonly Sent[]) {
  const replay = new CaptureReplay();
  const summary = new RecordingSummary(replay);
  const lines: string[] = [];
  const odd: string[] = [];
  const bytes = captureOf(packets);
  for (const records of [replay.feed(bytes), replay.finish()]) {
    for (const entry of records) {
      summary.add(entry);
      if (entry.record === 'diagnostic') odd.push(diagnosticMessage(entry.diagnostic));
      if ((entry.record !== 'message' && entry.record !== 'copy') || entry.direction !== 'to_server') continue;
      const { record, message, frame, fate } = entry;
      const said = message.values.find(({ name }) => name === 'message')?.value ?? message.type?.name;
      lines.push(`${frame} ${record} ${said}, ${fate ? fateText(fate) : 'nothing'}`);
    }
  }
  return { told: lines, odd, summary };
}

const told = (...packets: Sent[]) => read([...begin, ...packets]).told.slice(1);

describe('a copy of a vital chunk', () => {
  it('is open if more packets follow than wait for what became of it', () => {
    const { packet } = server(1, 1);
    const others = (count: number): Sent[] =>
      Array.from({ length: count }, (_, i) => ({ at: 1 + i / 10_000, from: 'server', packet }));
    const last = (count: number) => read([...begin, client(1, say(2)), ...others(count), server(1.95, 2)]).told.at(-1);
    expect(last(maxAhead - 2)).toBe(`6 message say 2, taken: acknowledged in frame ${maxAhead + 5}`);
    expect(last(maxAhead)).toBe('6 message say 2, open');
  });

  it('and if they are so large that they do not fit into the memory', () => {
    const large = chunk06([...ints(1 << 1), ...new Array(600).fill(97), 0]);
    const packet = packet06([large, large], { token, ack: 1 });
    const others = (count: number): Sent[] =>
      Array.from({ length: count }, (_, i) => ({ at: 1 + i / 10_000, from: 'server', packet }));
    const fits = Math.floor(maxAheadBytes / packet.length) - 2;
    const last = (count: number) => read([...begin, client(1, say(2)), ...others(count), server(1.95, 2)]).told.at(-1);
    expect(last(fits)).toBe(`6 message say 2, taken: acknowledged in frame ${fits + 7}`);
    expect(last(fits + 3)).toBe('6 message say 2, open');
  });

  it('is taken when it is acknowledged and no other passed', () => {
    expect(read([...begin, client(1, say(2)), server(1.02, 1), server(1.04, 2)]).told).toEqual([
      '4 message say 1, taken: acknowledged in frame 5',
      '6 message say 2, taken: acknowledged in frame 8',
    ]);
  });

  it('that is early is dropped, and asked for again', () => {
    expect(
      told(client(1, say(3)), server(1.01, 1, true), server(1.1, 1), client(1.2, say(2), say(3)), server(1.23, 3)),
    ).toEqual([
      '6 copy say 3, early: dropped, asked again in frame 7',
      '9 message say 2, taken: acknowledged in frame 10',
      '9 message say 3, taken: acknowledged in frame 10',
    ]);
  });

  it('counts with the content that was taken, though another one came early', () => {
    const {
      told: lines,
      odd,
      summary,
    } = read([
      ...begin,
      client(1, say(3, 'first')),
      server(1.07, 1, true),
      client(1.1, say(2)),
      client(1.15, enter(3)),
      server(1.2, 3),
    ]);
    expect(lines.slice(1)).toEqual([
      '6 copy first, early: dropped, asked again in frame 7',
      '8 message say 2, taken: acknowledged in frame 10',
      '9 message enter_game, taken: acknowledged in frame 10',
    ]);
    expect(odd).toContain(
      'the vital chunk 3 is sent again with other content; no game does that; the copy in frame 6 came early and was dropped',
    );
    const [{ messages, connection }] = summary.streams as [(typeof summary.streams)[0]];
    expect(Object.fromEntries(messages.to_server)).toMatchObject({ cl_say: 2, enter_game: 1 });
    expect(connection!.counts('to_server')).toMatchObject({ sent: 4, taken: 3, resent: 1 });
  });

  it('that is lost behind the place of the capture is the one that is sent again', () => {
    expect(told(client(1, say(2)), server(1.1, 1), server(1.5, 1), client(2, say(2)), server(2.03, 2))).toEqual([
      '6 copy say 2, lost: sent again in frame 9',
      '9 message say 2, taken: acknowledged in frame 10',
    ]);
  });

  it('is lost with all of its packet', () => {
    expect(
      told(client(1, say(2), say(3)), server(1.1, 1), client(2, say(2)), client(2.01, say(3)), server(2.04, 3)),
    ).toEqual([
      '6 copy say 2, lost: sent again in frame 8',
      '6 copy say 3, lost: sent again in frame 8',
      '8 message say 2, taken: acknowledged in frame 10',
      '9 message say 3, taken: acknowledged in frame 10',
    ]);
  });

  it('that was under way when the receiver asked is not called lost', () => {
    const asked = server(1.01, 1, true);
    expect(told(client(1, say(2)), asked, server(1.03, 2), client(1.1, say(2)), server(1.2, 2))).toEqual([
      '6 message say 2, taken: acknowledged in frame 8',
      '9 copy say 2, again: taken from frame 6',
    ]);
  });

  it('is open if either of two may be the one that was taken; the first is read', () => {
    expect(told(client(1, say(2)), client(2, say(2)), server(2.03, 2))).toEqual(['6 message say 2, open']);
  });

  it('is open if the network makes two of its packet, which is no repetition', () => {
    expect(told(client(1, say(2)), client(1.01, say(2)), server(1.03, 2))).toEqual(['6 message say 2, open']);
  });

  it('is open if its packet has the number twice', () => {
    expect(told(client(1, say(2), say(3), say(2)), server(1.03, 3))).toEqual([
      '6 message say 2, open',
      '6 message say 3, open',
    ]);
  });

  it('that is sent again is open if no other copy was captured', () => {
    expect(told(client(1, sayAgain(2)), server(1.03, 2))).toEqual(['6 message say 2, open']);
  });

  it('is read though it comes after the first one of a capture that begins later', () => {
    const later = [client(1, say(8)), client(1.01, sayAgain(7)), server(1.03, 8), client(1.04, sayAgain(7))];
    expect(read(later).told).toEqual(['1 message say 8, nothing', '2 message say 7, nothing', '4 copy say 7, again']);
  });

  it('is open while no answer has shown how long one takes', () => {
    const all = [...begin.slice(0, 3), client(0.1, say(1)), server(1.2, 0), client(1.3, say(1)), server(1.4, 1)];
    expect(read(all).told).toEqual(['4 message say 1, open']);
  });

  it('is open if it was acknowledged before it passed', () => {
    expect(told(server(1, 2), client(1.01, say(2)), server(1.03, 2))).toEqual(['7 message say 2, open']);
  });

  it('is not acknowledged by a packet that has the number of an earlier session', () => {
    expect(told(client(1, say(2)), server(1.01, 9), server(1.03, 2))).toEqual([
      '6 message say 2, taken: acknowledged in frame 8',
    ]);
  });

  it('is open if a copy passes that was asked for before', () => {
    expect(
      told(
        client(1, say(2)),
        server(1.01, 1, true),
        client(1.02, say(3)),
        client(1.03, say(2), say(3)),
        server(1.05, 3),
      ),
    ).toEqual(['6 message say 2, open', '8 message say 3, open']);
  });

  it('is open if its receiver waited as long before', () => {
    expect(
      told(
        ...[client(1, say(2)), server(1.2, 2)],
        ...[client(2, say(3)), server(2.15, 2), client(2.7, say(3)), server(2.75, 3)],
      ),
    ).toEqual(['6 message say 2, taken: acknowledged in frame 7', '8 message say 3, open']);
  });

  it('is open at the end of a capture', () => {
    expect(told(client(1, say(2)))).toEqual(['6 message say 2, open']);
  });

  it('before a gap in the capture is taken if it is acknowledged', () => {
    expect(told(client(1, say(3)), server(1.03, 3), server(1.05, 3))).toEqual([
      '8 message say 3, taken: acknowledged in frame 7',
    ]);
  });

  it('has no fate where the receiver was not captured', () => {
    const toServer = [client(1, say(1)), client(1.1, say(2)), client(1.2, say(2))];
    expect(read(toServer).told).toEqual(['1 message say 1, nothing', '2 message say 2, nothing']);
  });

  it('of another connection on the same ports shows nothing', () => {
    expect(told(client(1, say(2)), { at: 1.01, from: 'client', packet: control(4, ...token) }, server(1.1, 2))).toEqual(
      ['6 message say 2, open'],
    );
  });
});

// CClient drops a snapshot below the tick that it is receiving: `GameTick >= m_CurrentRecvTick` in NETMSG_SNAP.
describe('a snapshot', () => {
  const snapshot = (at: number, tick: number): Sent => {
    return {
      at,
      from: 'server',
      packet: packet06([chunk06(snapshotMessage(tick, ...playerItems(0, 'a')))], { token }),
    };
  };
  /** `input` of 0.6: the acknowledged tick, the intended one, the size, and ten values. */
  const input = (at: number, ack: number) => {
    return client(at, chunk06(ints((16 << 1) | 1, ack, ack + 2, 40, ...new Array(10).fill(0))));
  };

  function taken(...packets: Sent[]) {
    const replay = new CaptureReplay();
    const lines: string[] = [];
    const bytes = captureOf([...begin, ...packets]);
    for (const records of [replay.feed(bytes), replay.finish()]) {
      for (const entry of records) {
        if (entry.record === 'snapshot') lines.push(`${entry.frame} ${entry.tick} ${entry.verdict}`);
        else if (entry.record === 'copy')
          lines.push(`${entry.frame} ${entry.head.type?.name}: ${fateText(entry.fate)}`);
      }
    }
    return lines;
  }

  it('is late when its receiver has acknowledged a newer one, and then it is none', () => {
    expect(
      taken(snapshot(1, 100), snapshot(1.04, 104), input(1.05, 104), snapshot(1.06, 102), snapshot(1.08, 106)),
    ).toEqual([
      '6 100 ok',
      '7 104 ok',
      '9 snap_single: late: dropped, a newer one is acknowledged in frame 8',
      '10 106 ok',
    ]);
  });

  it('may be taken as long as nothing shows it: the order of a file need not be that of arrival', () => {
    expect(taken(snapshot(1, 100), snapshot(1.04, 104), input(1.05, 100), snapshot(1.06, 102))).toEqual([
      '6 100 ok',
      '7 104 ok',
      '9 102 ok',
    ]);
  });

  it('is not late in a file that is out of order, which its times show', () => {
    const disordered = [snapshot(1, 100), snapshot(1.04, 104), input(1.05, 104), snapshot(1.03, 102)];
    expect(taken(...disordered)).toEqual(['6 100 ok', '7 104 ok', '9 102 ok']);
  });

  it('is none twice, and a copy of a known one says nothing', () => {
    expect(taken(snapshot(1, 100), snapshot(1.04, 104), input(1.05, 104), snapshot(1.06, 100))).toEqual([
      '6 100 ok',
      '7 104 ok',
    ]);
  });

  it('is not late after an acknowledgement of what was not captured, or of the map before', () => {
    expect(taken(snapshot(1, 100), input(1.05, 106), snapshot(1.06, 102))).toEqual(['6 100 ok', '8 102 ok']);
    const change: Sent = { at: 1.1, from: 'server', packet: packet06([chunk06(mapChange('b'))], { token }) };
    expect(taken(snapshot(1, 100), input(1.05, 100), change, input(1.15, 100), snapshot(1.2, 2))).toEqual([
      '6 100 ok',
      '10 2 ok',
    ]);
  });
});
