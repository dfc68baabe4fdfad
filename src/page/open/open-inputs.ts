import { DecodeError } from '../../bytes/diagnostic.ts';
import { betterParts } from '../../decode/recognise.ts';
import { type PastedBytes, readPastedText } from '../../hex/pasted-text.ts';
import { textOf } from '../../hex/text-encoding.ts';
import { readSchema } from '../../protocol/read-schema.ts';
import { noSchema, type Schema } from '../../protocol/registry.ts';
import { Snapshot } from '../../snapshot/snapshot.ts';
import { diagnosticMessage } from '../../view/text/diagnostic-messages.ts';
import { type Input, type InputContext, OpenError, recogniseBytes, recordingFormat } from './read-file.ts';

/** Larger input is not searched for hex or other text forms of a packet. */
const maxTextBytes = 1 << 24;

/** The contents of a file: the schema of a mod, or inputs. */
interface OpenedFile {
  readonly name: string;
  readonly schema?: Schema;
  readonly inputs: readonly Input[];
}

/** Reads a file, which is a recording, a payload, text that contains payloads, or a schema. */
export async function openFile(name: string, bytes: Uint8Array): Promise<OpenedFile> {
  const text = recordingFormat(bytes) || bytes.length > maxTextBytes ? undefined : textOf(bytes);
  if (text?.trimStart().startsWith('{')) return openJson(name, text, bytes);
  const inputs = text === undefined ? [] : await inputsIn(name, text);
  return { name, inputs: inputs.length > 0 ? inputs : [{ name, bytes }] };
}

/** A snapshot or delta has a kind; any other JSON is a schema. */
function openJson(name: string, json: string, bytes: Uint8Array): OpenedFile {
  if (/"kind"\s*:\s*"(?:snapshot|delta)"/.test(json)) return { name, inputs: [{ name, bytes, json }] };
  try {
    return { name, schema: readSchema(json), inputs: [] };
  } catch (error) {
    throw error instanceof DecodeError ? new OpenError(diagnosticMessage(error)) : error;
  }
}

/** The payloads in a text; empty if it has none in a known form. */
export async function inputsIn(name: string, text: string): Promise<Input[]> {
  try {
    const { parts = [], other } = readPastedText(text, { force: true }) ?? {};
    const read = async ({ bytes }: PastedBytes) =>
      recogniseBytes({ name: '', bytes }, { schema: noSchema, base: undefined });
    const best = await betterParts(parts, other, read);
    return best.map(({ bytes, line, cutLine }) => {
      const begin = best.length > 1 ? `, line ${line}` : '';
      const cut = cutLine === undefined ? '' : `, cut in line ${cutLine}`;
      return { name: `${name}${begin}${cut}`, bytes };
    });
  } catch (error) {
    throw error instanceof DecodeError ? new OpenError(diagnosticMessage(error)) : error;
  }
}

/** The inputs that were opened together, the one that is shown, and what was dropped beside them. */
export class OpenInputs {
  all: readonly Input[] = [];
  chosen = 0;
  schema: { readonly name: string; readonly schema: Schema } | undefined;
  base: { readonly name: string; readonly snapshot: Snapshot } | undefined;

  get input(): Input | undefined {
    return this.all[this.chosen];
  }

  get context(): InputContext {
    return { schema: this.schema?.schema ?? noSchema, base: this.base?.snapshot };
  }

  /** Adds files: a schema is kept for all inputs, and a snapshot is the base of a delta beside it, or of the shown one that has none. */
  add(files: readonly OpenedFile[]): void {
    for (const { name, schema } of files) if (schema) this.schema = { name, schema };
    const inputs = files.flatMap((file) => file.inputs);
    if (inputs.length === 0) return;
    const alone = files.filter((file) => file.inputs.length === 1).flatMap((file) => file.inputs);
    const snapshots = alone.filter((one) => this.#bodyOf(one) instanceof Snapshot);
    const deltas = inputs.filter((one) => !snapshots.includes(one));
    const [snapshot, ...others] = snapshots;
    const onto = deltas.length > 0 ? deltas : this.base ? [] : this.all;
    const isBase = others.length === 0 && onto.some((one) => this.isDelta(one));
    if (snapshot && isBase) this.base = { name: snapshot.name, snapshot: this.#bodyOf(snapshot) as Snapshot };
    else this.base = undefined;
    if (isBase && snapshot && deltas.length === 0) return;
    this.all = isBase && snapshot ? deltas : inputs;
    this.chosen = 0;
  }

  isDelta(input: Input): boolean {
    const body = this.#bodyOf(input);
    return body !== undefined && !(body instanceof Snapshot);
  }

  /** The snapshot or delta of an input; undefined for anything else. */
  #bodyOf(input: Input) {
    if (recordingFormat(input.bytes) || input.bytes.length === 0) return undefined;
    const read = recogniseBytes(input, { schema: this.context.schema, base: undefined });
    return read.kind === 'packet' || read.payload.diagnostics.error ? undefined : read.payload.body;
  }
}
