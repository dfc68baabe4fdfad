import type { RecordingEntry } from '../recording/record.ts';
import { type CellValue, type Column, column, optional } from './column.ts';

/** The first columns of every table, which identify the origin of a row. */
export const originColumns: readonly Column[] = [
  column('file', 'text', 'path of the recording, as it was given'),
  optional('client', 'text', 'of a capture: address of the client; null in demos'),
  optional('time', 'double', 'of a capture: seconds since 1970; null in demos'),
  optional('frame', 'int', 'of a capture: number of the packet, from 1 as in Wireshark; null in demos'),
];

/** The values of {@link originColumns}. */
export function originOf(file: string, { stream, time, frame }: RecordingEntry): readonly CellValue[] {
  return [file, stream?.client || undefined, Number.isFinite(time) ? time : undefined, frame];
}
