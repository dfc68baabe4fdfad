import { anyPlatform } from '../../input/decompress/decompress.ts';
import { inPieces } from '../../input/decompress/pieces.ts';
import { textOf } from '../../input/pasted/text-encoding.ts';
import { type Part, type Parts, partsOf } from '../../input/source/byte-strings.ts';
import { isMap } from '../../input/source/file-kinds.ts';
import { open } from '../../input/source/open.ts';
import { readPart } from '../../input/source/read-part.ts';
import { betterParts } from '../../input/source/recognise-payload.ts';
import { SourceError } from '../../input/stated.ts';
import { formatOf } from '../../recording/all-formats.ts';
import { join } from '../../wire/bytes/copy.ts';
import { DecodeError } from '../../wire/bytes/diagnostic.ts';
import { noSchema, type Schema } from '../../wire/protocol/registry.ts';
import { isNetworkPy, readSchema } from '../../wire/schema/read-schema.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { logReport } from '../report/payload-report.ts';
import { type Input, type InputContext, maxBytes, recogniseBytes, tooLarge } from './read-file.ts';

/** The contents of a file: the schema of a mod, a map, or inputs. */
interface OpenedFile {
  readonly name: string;
  readonly schema?: Schema;
  readonly map?: Uint8Array;
  readonly inputs: readonly Input[];
}

/**
 * Reads what was dropped or pasted: a recording, a payload, text that contains payloads, a client's log, a schema or a
 * map. The same is read and refused as on the command line.
 * @param force whether it is stated to be hex
 * @throws DecodeError or SourceError
 */
export async function openFile(name: string, file: Uint8Array, force: boolean): Promise<OpenedFile> {
  const { bytes, failure, other } = await unpacked(file);
  if (bytes.length === 0) throw failure === undefined ? new DecodeError('empty_input', 0) : new SourceError(failure);
  if (formatOf(bytes)) return { name, inputs: [{ name, bytes, failure }] };
  if (failure !== undefined) throw new SourceError(failure);
  if (isMap(bytes)) return { name, map: bytes, inputs: [] };
  if (other) throw new SourceError(`this is ${other}`);
  const text = textOf(bytes);
  const log = text === undefined ? undefined : logReport(name, text);
  if (log) return { name, inputs: [{ name, bytes, log }] };
  // It is refused, with what prints it as JSON.
  if (text !== undefined && isNetworkPy(text)) return { name, schema: readSchema(text), inputs: [] };
  const isObject = text?.trimStart().startsWith('{') === true;
  const parts = await partsOf(bytes, { isText: (force && !isObject) || undefined });
  // A snapshot or delta in JSON has a kind; any other JSON without bytes in it is a schema.
  if (isObject && parts.form === undefined && !/"kind"\s*:\s*"(?:snapshot|delta)"/.test(text))
    return { name, schema: readSchema(text), inputs: [] };
  return { name, inputs: await inputsIn(name, parts) };
}

/**
 * The decompressed bytes as far as they are readable, and why not all are. @throws SourceError if they are too many,
 * DecodeError for a zip
 */
async function unpacked(file: Uint8Array) {
  const { pieces, other } = await open({ pieces: inPieces(file) }, {}, anyPlatform).catch((error: unknown) => {
    throw error instanceof SourceError || error instanceof DecodeError
      ? error
      : new SourceError((error as Error).message);
  });
  const read: Uint8Array[] = [];
  let length = 0;
  let failure: string | undefined;
  try {
    for await (const piece of pieces) {
      read.push(piece);
      length += piece.length;
      if (length > maxBytes) break;
    }
  } catch (error) {
    failure = failureOf(error);
  }
  if (length > maxBytes) throw tooLarge(length);
  return { bytes: read.length === 1 ? read[0]! : join(read), failure, other };
}

const failureOf = (error: unknown) => `can't be read: ${(error as Error).message}`;

/** The payloads in a text, or the only one that the bytes are. */
async function inputsIn(name: string, { form, text, parts, other }: Parts): Promise<Input[]> {
  const read = (part: Part) => readPart({ ...part, text, form }, {});
  const best = await betterParts(parts, other, read);
  if (text !== undefined) await read(best[0]!);
  return best.map(({ line, ...part }) => {
    const begin = best.length > 1 ? `, line ${line}` : '';
    const cut = part.cutLine === undefined ? '' : `, cut in line ${part.cutLine}`;
    return { name: `${name}${begin}${cut}`, ...part, text, form };
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
   * Adds files: a schema is kept for all inputs, a map for the recordings beside it, and a snapshot is the base of a
   * delta beside it, or of the shown one that has none.
   */
  add(files: readonly OpenedFile[]): void {
    const inputs = files.flatMap((file) => file.inputs);
    if (inputs.length > 0 && this.all.length > 0) this.map = undefined;
    for (const { name, schema, map } of files) {
      if (schema) this.schema = { name, schema };
      if (map) this.map = { name, map };
    }
    if (inputs.length === 0) return;
    const snapshots = files.flatMap(({ inputs: [input, ...rest] }) => {
      const snapshot = input && rest.length === 0 ? this.#bodyOf(input) : undefined;
      return snapshot instanceof Snapshot ? [{ name: input!.name, input, snapshot }] : [];
    });
    const deltas = inputs.filter((input) => !snapshots.some((base) => base.input === input));
    const onto = deltas.length > 0 ? deltas : this.base ? [] : this.all;
    const isBase = snapshots.length === 1 && onto.some((input) => this.isDelta(input));
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
    if (formatOf(input.bytes) || input.log) return undefined;
    const read = recogniseBytes(input, { schema: this.context.schema, base: undefined });
    return read.kind === 'contents' || read.payload.diagnostics.error ? undefined : read.payload.body;
  }
}
