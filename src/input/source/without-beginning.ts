import { FramingCheck } from '../../recording/container/demo/resync.ts';
import { Window } from '../../wire/bytes/window.ts';

/*
 * Recordings whose first bytes are missing: a download that was resumed, a file that was cut. They have no name in
 * front, but their parts follow one another:
 *
 *   demo       marker, keyframe, a stream that is a whole snapshot, and a chunk behind it
 *   pcap       time, length, length, so many bytes; time, length, length, …
 */

/** The places from which records of a capture are looked for. */
const maxStart = 1 << 12;
const fewestRecords = 4;
const recordHead = 16;
const maxCaptured = 1 << 16;

/** What bytes are the rest of, after "this is"; undefined for others. @param first some thousand bytes */
export function restOf(first: Uint8Array): string | undefined {
  if (hasKeyframe(first)) return 'a demo without its beginning; its header and its map are missing: get the whole file';
  if (hasRecords(first)) return 'a capture without its beginning; editcap and tshark need its header, too';
  return undefined;
}

function hasKeyframe(first: Uint8Array): boolean {
  // From version 5 on, markers have another bit; older ones are found by it as well.
  return [5, 4].some((version) => {
    const window = new Window();
    window.add(first);
    return new FramingCheck(window, version).findKeyframe(window.start, 0x7fffffff).found === 'yes';
  });
}

function hasRecords(first: Uint8Array): boolean {
  const view = new DataView(first.buffer, first.byteOffset, first.length);
  for (let start = 0; start < Math.min(maxStart, first.length - recordHead); start++) {
    for (const isLittle of [true, false]) {
      let at = start;
      let records = 0;
      let time = 0;
      while (at + recordHead <= first.length) {
        const [seconds, captured, sent] = [0, 8, 12].map((field) => view.getUint32(at + field, isLittle)) as [
          number,
          number,
          number,
        ];
        const isLater = seconds >= time && (time === 0 || seconds - time < 3600) && seconds > 1e9;
        if (!isLater || captured === 0 || captured > sent || sent > maxCaptured) break;
        records++;
        time = seconds;
        at += recordHead + captured;
      }
      if (records >= fewestRecords) return true;
    }
  }
  return false;
}
