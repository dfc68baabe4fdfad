import { recogniseJson } from '../../wire/payload/json-input.ts';
import type { SourceReading, Stated } from '../stated.ts';
import type { Part } from './byte-strings.ts';
import { baseSnapshot, registryOf, statedPayload } from './read-payload.ts';

/** Reads the JSON of a snapshot or delta. @throws DecodeError if it is neither */
export function readJsonPart({ text, bytes }: Part, stated: Stated): SourceReading {
  const json = text ?? new TextDecoder().decode(bytes);
  return recogniseJson(json, bytes, statedPayload(stated), registryOf(stated), baseSnapshot(stated));
}
