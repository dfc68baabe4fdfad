import { DatagramReplay } from '../recording/capture/capture-replay.ts';
import type { DatagramPlace } from '../recording/capture/flow-map.ts';
import { keep, type RecordingEntry } from './keep.ts';
import { type ReadOptions, readOptions } from './read-recording.ts';

/** One end of a datagram: `127.0.0.1:8303`, `[::1]:8303`, or as the sockets of Node give it. */
export type End = string | { readonly address: string; readonly port: number };

/** Makes records of datagrams as `readCapture` makes them of a file: for a proxy, or a program that captures itself. */
export interface Observer {
  /**
   * Adds a datagram; returns the records that result from it, which may be kept. Those of a handshake come when it is
   * known what becomes of that.
   *
   * @param seconds since 1970: `Date.now() / 1000`
   * @throws TypeError for an end that is no address with a port
   */
  add(seconds: number, from: End, to: End, datagram: Uint8Array): RecordingEntry[];
  /** The records that still wait for something, at the end. */
  finish(): RecordingEntry[];
}

/**
 * Begins to observe datagrams.
 *
 * @example
 * ```ts
 * import { observe } from 'tw-snap/live';
 *
 * const observer = observe();
 * for (const { record, stream } of observer.add(Date.now() / 1000, '10.0.0.7:5000', '10.0.0.1:8303', bytes)) {
 *   console.log(record, stream?.client);
 * }
 * ```
 */
export function observe(options: Pick<ReadOptions, 'protocol' | 'schema' | 'messages' | 'parts'> = {}): Observer {
  const replay = new DatagramReplay(readOptions('observe', options, ['protocol', 'schema', 'messages', 'parts']));
  let number = 0;
  return {
    add(seconds, from, to, datagram) {
      if (typeof seconds !== 'number')
        throw new TypeError(`the time is a ${typeof seconds}; it takes seconds since 1970`);
      if (!(datagram instanceof Uint8Array))
        throw new TypeError(`a datagram is a Uint8Array, not a ${typeof datagram}`);
      const source = endOf(from);
      const destination = endOf(to);
      const place: DatagramPlace = {
        time: seconds,
        number: ++number,
        source: source.address,
        sourcePort: source.port,
        destination: destination.address,
        destinationPort: destination.port,
      };
      return Array.from(replay.datagram(place, datagram), keep);
    },
    finish: () => Array.from(replay.end(), keep),
  };
}

function endOf(end: End): { readonly address: string; readonly port: number } {
  const [, v6, v4, text] = (typeof end === 'string' && /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(end)) || [];
  const found = typeof end === 'string' ? { address: v6 ?? v4, port: Number(text) } : end;
  const { address, port } = found ?? {};
  if (typeof address !== 'string' || !Number.isInteger(port) || port! < 0 || port! > 65_535) {
    throw new TypeError(`an end is an address with a port, as 127.0.0.1:8303; not ${JSON.stringify(end)}`);
  }
  return { address, port: port! };
}
