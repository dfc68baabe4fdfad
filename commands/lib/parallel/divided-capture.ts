import { CaptureReplay } from '../../../src/recording/capture.ts';
import { type CapturePart, IndivisibleError } from '../../../src/recording/capture-part.ts';
import { formats } from '../../../src/recording/formats.ts';
import { CommandError } from '../errors.ts';
import { type Opened, type OpenedRecording, unlessRefused } from '../input/open.ts';
import { PieceMemory } from '../input/piece-memory.ts';
import type { Io } from '../io.ts';
import type { Division, DivisionOptions } from './division.ts';

/** The number of first bytes whose packets show how many clients there are. */
const sampleBytes = 4 << 20;

/** The parts of a capture; undefined for one that is not worth it, such as that of one client. */
export async function captureParts(
  { path, pieces }: Opened,
  { capture }: Division,
  jobs: number,
  options: DivisionOptions,
  io: Io,
): Promise<readonly CapturePart[] | undefined> {
  const bytes = io.size(path);
  // Only the whole shows whether a client is there, and a version in use.
  if (!capture || options.client !== undefined || options.protocol !== 'auto') return undefined;
  const { minBytes, minThreads = 2 } = capture;
  if (options.jobs === undefined && (bytes < minBytes || jobs < minThreads)) return undefined;
  const none = new CaptureReplay({}, { index: -1, count: jobs });
  let read = 0;
  for await (const piece of pieces) {
    for (const _ of none.feed(piece));
    read += piece.length;
    if (read >= sampleBytes) break;
  }
  const sizes = none.partBytes;
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const count = sizes.filter((size) => size * jobs >= all * leastShare).length;
  return count > 1 ? Array.from({ length: count }, (_, index) => ({ index, count, bytes })) : undefined;
}

/** A part must have this much of an equal share of the packets' bytes to be worth a thread, which has to read all packets. */
const leastShare = 0.25;

/** After this many pieces a part reports its position, even without output: a message takes as long as some hundred packets. */
const piecesPerMessage = 16;

export function openCapturePart(file: string, part: CapturePart, io: Io): OpenedRecording {
  async function* pieces() {
    let left = part.bytes;
    let read = 0;
    try {
      const all = io.open(file, 0, false, new PieceMemory());
      for await (const piece of unlessRefused(file, all)) {
        yield piece.subarray(0, left);
        if (++read % piecesPerMessage === 0) await io.ordered?.flush();
        left -= piece.length;
        if (left <= 0) return;
      }
    } catch (error) {
      // All parts would report it.
      throw error instanceof CommandError ? new IndivisibleError(error.message) : error;
    }
  }
  const format = formats.find(({ name }) => name === 'pcap')!;
  return {
    name: file,
    path: file,
    canSeek: true,
    format: {
      ...format,
      open(options) {
        const opened = new CaptureReplay(options, part);
        if (io.ordered) io.ordered.position = () => opened.position;
        return opened;
      },
    },
    pieces: pieces(),
  };
}
