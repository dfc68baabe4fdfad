import { DecodeError } from '../../bytes/diagnostic.ts';
import { betterParts, minTextPenalty, recognise } from '../../decode/recognise.ts';
import { type PastedBytes, readPastedText, refusal } from '../../hex/pasted-text.ts';
import { textOf } from '../../hex/text-encoding.ts';
import { readSchema } from '../../protocol/read-schema.ts';
import { noSchema, protocolOf, type Schema } from '../../protocol/registry.ts';
import { isMap, otherFileKind } from '../../recording/formats.ts';
import { logReport } from '../../report/payload-report.ts';
import { Snapshot } from '../../snapshot/snapshot.ts';
import { type Input, type InputContext, OpenError, recogniseBytes, recordingFormat } from './read-file.ts';

/** Longer text is only searched for the errors of a client's log. */
const maxTextBytes = 1 << 24;

/** The contents of a file: the schema of a mod, a map, or inputs. */
interface OpenedFile {
  readonly name: string;
  readonly schema?: Schema;
  readonly map?: Uint8Array;
  readonly inputs: readonly Input[];
}

/**
 * Reads what was dropped or pasted: a recording, a payload, text that contains payloads, a client's log, a schema or a map. The same
 * is read and refused as on the command line.
 * @param force whether it is stated to be hex
 * @throws DecodeError or OpenError
 */
export async function openFile(name: string, bytes: Uint8Array, force: boolean): Promise<OpenedFile> {
  if (bytes.length === 0) throw new DecodeError('empty_input', 0);
  const whole = { name, inputs: [{ name, bytes }] };
  if (recordingFormat(bytes)) return whole;
  if (isMap(bytes)) return { name, map: bytes, inputs: [] };
  const other = otherFileKind(bytes);
  if (other) throw new OpenError(`this is ${other}`);
  const text = textOf(bytes);
  if (text === undefined) return whole;
  const log = logReport(name, text);
  if (log) return { name, inputs: [{ name, bytes, log }] };
  if (bytes.length > maxTextBytes) throw new OpenError(`this text is longer than ${maxTextBytes >> 20} MiB, the limit`);
  if (text.trimStart().startsWith('{')) {
    // A snapshot or delta has a kind; any other JSON is a schema.
    const isPayload = /"kind"\s*:\s*"(?:snapshot|delta)"/.test(text);
    return isPayload ? { name, inputs: [{ name, bytes, json: text }] } : { name, schema: readSchema(text), inputs: [] };
  }
  const inputs = await inputsIn(name, text, force);
  if (inputs.length > 0) return { name, inputs };
  if (recognise(bytes, {}, (version) => protocolOf(version, noSchema)).penalty >= minTextPenalty) throw refusal(text);
  return whole;
}

/** The payloads in a text; empty if it has none in a known form. */
async function inputsIn(name: string, text: string, force: boolean): Promise<Input[]> {
  const { parts = [], other } = readPastedText(text, { force }) ?? {};
  const read = async ({ bytes }: PastedBytes) =>
    recogniseBytes({ name: '', bytes }, { schema: noSchema, base: undefined });
  const best = await betterParts(parts, other, read);
  return best.map(({ bytes, line, cutLine }) => {
    const begin = best.length > 1 ? `, line ${line}` : '';
    const cut = cutLine === undefined ? '' : `, cut in line ${cutLine}`;
    return { name: `${name}${begin}${cut}`, bytes };
  });
}

/** The inputs that were opened together, the one that is shown, and what was dropped beside them. */
export class OpenInputs {
  all: readonly Input[] = [];
  chosen = 0;
  schema: { readonly name: string; readonly schema: Schema } | undefined;
  map: { readonly name: string; readonly map: Uint8Array } | undefined;
  base: { readonly name: string; readonly snapshot: Snapshot } | undefined;

  get input(): Input | undefined {
    return this.all[this.chosen];
  }

  get context(): InputContext {
    return { schema: this.schema?.schema ?? noSchema, base: this.base?.snapshot, map: this.map?.map };
  }

  /**
   * Adds files: a schema is kept for all inputs, a map for the recordings beside it, and a snapshot is the base of a delta beside it, or
   * of the shown one that has none.
   */
  add(files: readonly OpenedFile[]): void {
    const inputs = files.flatMap((file) => file.inputs);
    if (inputs.length > 0 && this.all.length > 0) this.map = undefined;
    for (const { name, schema, map } of files) {
      if (schema) this.schema = { name, schema };
      if (map) this.map = { name, map };
    }
    if (inputs.length === 0) return;
    const snapshots = files.flatMap(({ inputs: [one, ...others] }) => {
      const snapshot = one && others.length === 0 ? this.#bodyOf(one) : undefined;
      return snapshot instanceof Snapshot ? [{ name: one!.name, one, snapshot }] : [];
    });
    const deltas = inputs.filter((input) => !snapshots.some(({ one }) => one === input));
    const onto = deltas.length > 0 ? deltas : this.base ? [] : this.all;
    const isBase = snapshots.length === 1 && onto.some((one) => this.isDelta(one));
    this.base = isBase ? snapshots[0] : undefined;
    if (isBase && deltas.length === 0) return;
    this.all = isBase ? deltas : inputs;
    this.chosen = 0;
  }

  isDelta(input: Input): boolean {
    const body = this.#bodyOf(input);
    return body !== undefined && !(body instanceof Snapshot);
  }

  #bodyOf(input: Input) {
    if (recordingFormat(input.bytes) || input.log) return undefined;
    const read = recogniseBytes(input, { schema: this.context.schema, base: undefined });
    return read.kind === 'packet' || read.payload.diagnostics.error ? undefined : read.payload.body;
  }
}
