import { Random } from '../../scripts/fuzz/random.ts';
import { type Bytes, file } from './bytes.ts';
import { ipv4, pcapHeader, pcapRecord, someTime, udp } from './capture-builder.ts';
import { captureFrames } from './capture-frames.ts';

/** A capture of one client. */
interface Session {
  readonly bytes: Uint8Array;
  /** The last number of the address of each end. */
  readonly client: number;
  readonly server?: number;
  /** The number of first packets that are left out. */
  readonly skipped?: number;
}

/** One capture with the packets of several, in any order of these. */
export function interleaved(sessions: readonly Session[], seed = 1): Uint8Array {
  const random = new Random(seed, 0);
  const queues = sessions.map(({ skipped = 0, ...session }) => ({
    ...session,
    packets: captureFrames(session.bytes)
      .flatMap((frame) => ('source' in frame ? frame : []))
      .slice(skipped),
  }));
  const records: Bytes[] = [];
  for (let i = 0; ; i++) {
    const left = queues.filter(({ packets }) => packets.length > 0);
    if (left.length === 0) return file(pcapHeader({ linkType: 101 }), ...records);
    const { client, server = 1, packets } = random.pick(left);
    const { sourcePort, destinationPort, data } = packets.shift()!;
    const [up, down] = [
      [10, 1, 0, client],
      [10, 0, 0, server],
    ];
    const [source, destination] = sourcePort > destinationPort ? [up, down] : [down, up];
    const packet = ipv4(udp(data, sourcePort, destinationPort), { source, destination });
    const time = { seconds: someTime + Math.floor(i / 50), fraction: (i % 50) * 20_000 };
    records.push(pcapRecord(packet, time));
  }
}
