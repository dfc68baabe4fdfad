import { describe, expect, it } from 'vitest';
import { CaptureAnnotator } from '../../../src/output/wireshark/capture-annotator.ts';
import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import { CaptureReader } from '../../../src/recording/container/capture/capture-reader.ts';
import { CaptureWriter } from '../../../src/recording/container/capture/capture-writer.ts';
import { type Bytes, file } from '../../support/bytes.ts';
import { ethernet, ipv4, pcapHeader, pcapRecord, someTime, udp, v4 } from '../../support/capture-builder.ts';
import { samplePcap } from '../../support/corpus.ts';
import { chunk06, ints, packet06, snapPart, snapSingle } from '../../support/packet-builder.ts';
import { commentsOf } from '../../support/pcapng-blocks.ts';

const everything: ConstructorParameters<typeof CaptureAnnotator>[0] = {
  filter: { all: true, item: () => true, message: () => true },
  values: true,
};

function annotated(bytes: Uint8Array, options = everything) {
  const annotator = new CaptureAnnotator(options);
  const replay = new CaptureReplay({ blocks: true, parts: true, messages: false });
  for (const entry of replay.feed(bytes)) annotator.add(entry);
  for (const entry of replay.finish()) annotator.add(entry);
  const pcapng = annotator.flush();
  return { pcapng, comments: commentsOf(pcapng), counts: annotator.counts };
}

/** A capture with more comments on each packet, as another program writes them. */
function withComments(bytes: Uint8Array, comments: readonly string[]): Uint8Array {
  const reader = new CaptureReader(true);
  const writer = new CaptureWriter('another program');
  const blocks: Uint8Array[] = [];
  const texts = comments.map((comment) => Buffer.from(comment));
  // The reader keeps one block at a time.
  for (const _ of reader.feed(bytes)) blocks.push(writer.write(reader.block, texts));
  return new Uint8Array(Buffer.concat(blocks));
}

/** A packet of the server with these messages, as a record of a capture. */
const record = (messages: readonly Bytes[], seconds = 0, fraction = 0): Bytes => {
  const packet = packet06(messages.map((message) => chunk06(message)));
  return pcapRecord(ethernet(v4, ipv4(udp([...packet]))), { seconds: someTime + seconds, fraction });
};

const nothing = ints(0, 0, 0);
/** A snapshot of a tick with one item of an unknown type, whose one int is its checksum. */
const single = (tick: number, value = 7) => snapSingle(7, tick, tick + 1, value, ints(0, 1, 0, 70, 5, 1, value));
/** `input_timing`, a message without a snapshot. */
const inputTiming = ints((9 << 1) | 1, 10, 5);
/** A new item of zeros, which needs two parts: each but the last has 900 bytes. */
const large = ints(0, 1, 0, 70, 5, 1000, ...new Array<number>(1000).fill(0));
const part = (tick: number, number: number) =>
  snapPart(5, tick, 2, number, number === 0 ? large.slice(0, 900) : large.slice(900));
const connection = 'connection 1 of 127.0.0.1:50000 · 0.6 · to_client · ack 0 · 1 chunk';

describe('the comments of a frame', () => {
  it('describe a recorded packet as decode does (docs/captures.md)', () => {
    const { comments, counts } = annotated(samplePcap());
    const [people, values, ...rest] = comments[100]!;
    expect(people!.split('\n')).toEqual([
      'tick 33948 on 33944 · crc ok 1771882520 · 1 item changed',
      'obj_character/0 "six": tick 33944 → 33948',
      'input_timing: input_pred_tick 33947, time_left 19',
      'connection 1 of [::1]:29911 · 0.6 · to_client · ack 9 · 2 chunks',
    ]);
    expect(values).toMatch(/^values of tick 33948 · 0\.6 · schema [0-9a-f]{8}\n/);
    expect(values!.split('\n')).toContain(
      'obj_character/0 33948 6800 561 0 0 0 0 0 -1 0 0 6800 561 0 0 1 10 10 0 1 5 0',
    );
    expect(values!.split('\n')).toContain('obj_client_info/0 "six" "" -1 "default" 1 12345 65408');
    expect(rest).toEqual([]);
    expect(counts).toMatchObject({ frames: 786, annotated: 786, snapshots: 446, mismatches: 0, lost: 0, cut: 0 });
  });

  it('consist of the readable comment alone without values', () => {
    const { comments } = annotated(samplePcap(), { ...everything, values: false });
    expect(comments[100]).toHaveLength(1);
  });

  it('name only what is selected', () => {
    const filter = { all: false, item: () => false, message: (name?: string) => name === 'sv_chat' };
    const { comments } = annotated(samplePcap(), { ...everything, filter });
    expect(comments[100]!.map((text) => text.split('\n').slice(0, -1))).toEqual([
      ['tick 33948 on 33944 · crc ok 1771882520 · 1 item changed'],
    ]);
    expect(comments.flat().filter((comment) => comment.includes('sv_chat: team')).length).toBeGreaterThan(1);
    expect(comments.flat().filter((comment) => comment.includes('input_timing:'))).toEqual([]);
  });

  it('are only on the packets of the selected client', () => {
    const other = annotated(samplePcap(), { ...everything, client: '[::1]:1' });
    expect(other.comments.flat()).toEqual([]);
    const own = annotated(samplePcap(), { ...everything, client: '[::1]:29911' });
    expect(own.counts.annotated).toBe(786 - 2);
  });

  it('list items that appeared, changed and disappeared', () => {
    const change = snapSingle(7, 12, 2, 9, ints(0, 1, 0, 70, 5, 1, 2));
    const end = snapSingle(7, 14, 2, 0, ints(1, 0, 0, 70 * 0x10000 + 5));
    const { comments } = annotated(file(pcapHeader(), record([single(10)]), record([change]), record([end])));
    expect(comments.map(([people, values]) => [...people!.split('\n').slice(0, -1), values?.split('\n')[1]])).toEqual([
      ['tick 10 on the empty snapshot · crc ok 7 · 1 item added', '+ type_70/5', 'type_70/5 + 7'],
      ['tick 12 on 10 · crc ok 9 · 1 item changed', 'type_70/5: [0] 7 → 9', 'type_70/5 + 9'],
      ['tick 14 on 12 · crc ok 0 · 1 item removed', '- type_70/5', undefined],
    ]);
  });

  it('have the findings about a packet', () => {
    const wrong = snapSingle(7, 10, 11, 8, ints(0, 1, 0, 70, 5, 1, 7));
    const lost = snapSingle(7, 12, 4, 0, nothing);
    const { comments, counts } = annotated(file(pcapHeader(), record([wrong]), record([lost])));
    expect(comments[0]![0]!.split('\n')[0]).toBe(
      'tick 10 on the empty snapshot · crc mismatch: announced 8, rebuilt 7 · 1 item added',
    );
    expect(comments[1]![0]!.split('\n')).toEqual(['tick 12 on 8 · not rebuilt: the base is missing', connection]);
    expect(counts).toMatchObject({ snapshots: 2, mismatches: 1, lost: 1 });
  });
});

describe('an annotated capture', () => {
  const serverInfo = [...Array(6).fill(255), ...[...'gie3'].map((letter) => letter.charCodeAt(0))];
  const isTheirs = (text: string) => text === 'a remark' || text === 'tick of a clock';

  it('is annotated again: own comments are replaced, in the sample byte for byte', () => {
    const { pcapng } = annotated(samplePcap());
    expect(Buffer.compare(annotated(pcapng).pcapng, pcapng)).toBe(0);
    const withoutValues = { ...everything, values: false };
    expect(annotated(pcapng, withoutValues).comments).toEqual(annotated(samplePcap(), withoutValues).comments);
  });

  it('keeps the comments of other programs, before and after its own', () => {
    const frames = [record([single(8)]), record([single(12).slice(0, 6)]), record([part(10, 0)])];
    const connectionless = pcapRecord(ethernet(v4, ipv4(udp(serverInfo))), { seconds: someTime });
    const { pcapng } = annotated(file(pcapHeader(), ...frames, connectionless));
    const remarked = withComments(pcapng, ['a remark', 'tick of a clock']);
    const again = annotated(annotated(remarked).pcapng);
    expect(again.comments.map((all) => all.filter((text) => !isTheirs(text)))).toEqual(commentsOf(pcapng));
    expect(again.comments.every((all) => all.filter(isTheirs).length === 2)).toBe(true);
    expect(again.comments.at(-1)![0]).toBe('connectionless "gie3": 10 bytes');
  });
});

describe('a snapshot in several parts', () => {
  it('is in the frame that completes it, which the other parts name', () => {
    const frames = [record([part(10, 0)]), record([single(10)].slice(1)), record([part(10, 1)])];
    const { comments } = annotated(file(pcapHeader(), ...frames));
    expect(comments.map(([people]) => people!.split('\n')[0])).toEqual([
      'part 1 of 2 of tick 10, completed in frame 3',
      'no messages',
      'tick 10 on the empty snapshot · in 2 parts · crc mismatch: announced 12345, rebuilt 0 · 1 item added',
    ]);
  });

  it('is named where parts are missing or repeated', () => {
    const frames = [part(10, 0), part(12, 0), part(12, 1), part(12, 1)].map((bytes) => record([bytes]));
    const { comments } = annotated(file(pcapHeader(), ...frames));
    expect(comments.map(([people]) => people!.split('\n')[0])).toEqual([
      'part 1 of 2 of tick 10, not rebuilt: a part is missing',
      'part 1 of 2 of tick 12, completed in frame 3',
      'tick 12 on the empty snapshot · in 2 parts · crc mismatch: announced 12345, rebuilt 0 · 1 item added',
      'part 2 of 2 of tick 12, again, completed in frame 3',
    ]);
  });

  /** The number of bytes written after each piece; a piece is a packet. */
  function steps(...records: Bytes[]) {
    const annotator = new CaptureAnnotator(everything);
    const replay = new CaptureReplay({ blocks: true, parts: true, messages: false });
    return [pcapHeader(), ...records].map((piece) => {
      for (const entry of replay.feed(Uint8Array.from(piece))) annotator.add(entry);
      return commentsOf(Buffer.concat([new Uint8Array(0), annotator.take()])).map(([people]) => people?.split('\n')[0]);
    });
  }

  it('delays only the frames from its first part on until it is complete', () => {
    const written = steps(record([single(8)]), record([part(10, 0)]), record([single(12)]), record([part(10, 1)]));
    expect(written.map((frames) => frames.length)).toEqual([0, 1, 0, 0, 3]);
  });

  it('waits at most for a second more than packets wait for what became of them', () => {
    const written = steps(record([part(10, 0)]), record([single(12)], 3), record([single(14)], 3, 600_000));
    expect(written.slice(1)).toEqual([
      [],
      [],
      [
        'part 1 of 2 of tick 10, not completed by frame 3',
        'tick 12 on the empty snapshot · crc ok 7 · 1 item added',
        'tick 14 on the empty snapshot · crc ok 7 · 1 item added',
      ],
    ]);
  });

  it('waits for 512 frames at most', () => {
    const others = Array.from({ length: 600 }, () => record([inputTiming]));
    const written = steps(record([part(10, 0)]), ...others);
    expect(written.findIndex((frames) => frames.length > 0)).toBe(1 + 512);
  });
});

describe('large snapshots', () => {
  /** Items of an unknown type, each int ten digits long. */
  const large = (size: number, count: number): Bytes => {
    const items = Array.from({ length: count }, (_, id) => [70, id, size, ...new Array(size).fill(1_000_000_000 + id)]);
    return ints(0, count, 0, ...items.flat());
  };

  /** A snapshot of a tick on the empty one in parts, a record each, with its right checksum. */
  const inParts = (tick: number, data: Bytes, sum: number): Bytes[] => {
    const parts = Math.ceil(data.length / 900);
    return Array.from({ length: parts }, (_, i) => {
      const own = data.slice(900 * i, 900 * i + 900);
      return record([[...ints((5 << 1) | 1, tick, tick + 1, parts, i, sum, own.length), ...own]]);
    });
  };
  const sumOf = (size: number, count: number) =>
    Number(BigInt.asIntN(32, BigInt(size) * (BigInt(count) * 1_000_000_000n + BigInt((count * (count - 1)) / 2))));

  it('have as many comments as they need', () => {
    const { comments, counts } = annotated(file(pcapHeader(), ...inParts(10, large(100, 100), sumOf(100, 100))));
    const [people, ...values] = comments.at(-1)!;
    expect(people).toContain('· crc ok');
    expect(people!.split('\n')).toHaveLength(1 + 64 + 1 + 1);
    expect(people).toContain('\n… 36 more items\n');
    // 100 items of about 1,110 bytes: two comments of at most 65,535.
    expect(values).toHaveLength(2);
    expect(values.flatMap((value) => value.split('\n')).filter((line) => line.startsWith('type_70/'))).toHaveLength(
      100,
    );
    expect(counts.cut).toBe(0);
  });

  it('are cut where a frame has too many, and the rest is counted', () => {
    // snap_empty: the base unchanged. A comment has room for 58 items of about 1,110 bytes; there are three comments
    // for 500 items.
    const again = [11, 12, 13, 14, 15].map((tick) => ints((6 << 1) | 1, tick, tick - 10));
    const frames = [...inParts(10, large(100, 100), sumOf(100, 100)), record(again)];
    const { comments, counts } = annotated(file(pcapHeader(), ...frames));
    const [people, ...values] = comments.at(-1)!;
    expect(people!.split('\n')).toHaveLength(5 + 1);
    expect(values).toHaveLength(3);
    for (const value of values) expect(new TextEncoder().encode(value).length).toBeLessThanOrEqual(65_535);
    const items = values.flatMap((value) => value.split('\n')).filter((line) => line.startsWith('type_70/')).length;
    expect(values.at(-1)!.split('\n').at(-1)).toBe(`… ${500 - items} more items`);
    expect(counts.cut).toBe(1);
  });
});
