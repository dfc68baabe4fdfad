import { intsOfJson, readJson } from '../../../src/input/source/json.ts';
import { recognise } from '../../../src/input/source/recognise-payload.ts';
import type { Recognised } from '../../../src/input/stated.ts';
import { renderHexdump } from '../../../src/output/hexdump/hexdump.ts';
import { payloadJson, renderJson } from '../../../src/output/json/item-json.ts';
import { renderTable } from '../../../src/output/reports/decode.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { annotate } from '../../../src/wire/annotate/payload-spans.ts';
import { encode, layersOfInts, unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { type Payload, readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { apply } from '../../../src/wire/snapshot/apply.ts';
import { createDelta } from '../../../src/wire/snapshot/create-delta.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import {
  check,
  covers,
  hashOf,
  isJson,
  isSum,
  itemsOf,
  safe,
  same,
  sameItems,
  sameNumbers,
  unlessRefused,
} from '../checks.ts';
import { type Encoding, makePayload, type PayloadInput } from '../make/payload.ts';
import type { Random } from '../random.ts';
import { applySlowly, sumSlowly } from '../reference.ts';
import type { Target } from '../target.ts';

const protocol = (version: Version) => protocolOf(version);

/** Single snapshots and deltas, read with their encoding and kind stated. */
export const payload: Target = {
  name: 'payload',
  share: 2300,
  run(random, { contents }, note) {
    const input = makePayload(random, contents);
    note(`${input.kind}.${input.encoding}`, input.bytes);
    const { bytes, encoding, kind, version, base } = input;
    const layers = unwrap(bytes, encoding);
    check(layers.file.length === bytes.length, 'not all of the file is kept');
    checkPayload(random, readPayload(layers, kind, protocolOf(version), base));
  },
};

/** The same payloads, recognised: the result has to be equal to that of a stated encoding and kind. */
export const recognised: Target = {
  name: 'recognise',
  share: 120,
  run(random, { contents }, note) {
    const input = makePayload(random, contents);
    note(`${input.kind}.${input.encoding}`, input.bytes);
    const found = recognise(input.bytes, statedPartly(random, input), protocol, input.base);
    checkPayload(random, found.payload);
    checkStated(input, found);
  },
};

function statedPartly(random: Random, { encoding, kind, version }: PayloadInput) {
  if (random.oneIn(2)) return {};
  return {
    encoding: random.oneIn(3) ? encoding : undefined,
    kind: random.oneIn(3) ? kind : undefined,
    protocol: random.oneIn(3) ? version : undefined,
  };
}

/** `auto` and stated. */
function checkStated({ bytes, base }: PayloadInput, { payload, evidence, otherReadings }: Recognised): void {
  const { layers, kind, types, diagnostics } = payload;
  const { version } = types.protocol;
  const stated = recognise(bytes, { encoding: layers.encoding as Encoding, kind, protocol: version }, protocol, base);
  check(
    stated.evidence === evidence && stated.otherReadings.length === 0,
    'recognised: other evidence when it is stated',
  );
  if (diagnostics.error?.code === 'unrecognised') return;
  same(textOf(stated.payload), textOf(payload), 'recognised: another reading when it is stated');
  for (const other of otherReadings) covers(annotate(other), other.layers.bytes.length);
}

const textOf = (payload: Payload) => JSON.stringify(payloadJson(payload));

/** Checks the properties of everything that was read as a snapshot or delta. */
export function checkPayload(random: Random, payload: Payload): void {
  const { layers, body, diagnostics, base, result, types } = payload;
  const spans = annotate(payload);
  covers(spans, layers.bytes.length);
  if (random.oneIn(8)) {
    const json = payloadJson(payload);
    isJson(renderJson(json), json);
  }
  if (random.oneIn(20)) {
    const style = { name: 'x', theme: plainTheme, width: random.pick([20, 100, 160, 300]), verbose: random.oneIn(2) };
    safe(random.oneIn(4) ? renderTable(payload, style) : renderHexdump(payload, spans, style));
  }
  if (diagnostics.error) return;
  encodedAgain(random, payload);
  if (body instanceof Delta) {
    if (base && result) checkApplied(base, body, result, types.protocol.sizeOf);
  } else {
    isSum(body);
  }
}

/** Checks that a payload is the same when decoded, encoded in another encoding or as JSON, and decoded again. */
function encodedAgain(random: Random, { body, kind, types, base, result }: Payload): void {
  const encoding = random.pick(['huffman', 'huffman', 'packed', 'ints', 'json'] as const);
  let layers: ReturnType<typeof unwrap>;
  if (encoding === 'json') {
    // The JSON as it is printed, and read.
    const text = renderJson(payloadJson({ kind, body, types, ...emptyLayers, ...(base ? { base } : {}) }));
    const ints = intsOfJson(readJson(text), types.protocol);
    layers = layersOfInts(ints, 'json');
  } else layers = unwrap(encode(body, encoding, random.oneIn(2) ? 'extra' : 'none'), encoding);
  const again = readPayload(layers, kind, types.protocol, base);
  check(!again.diagnostics.error, `${encoding}: what was encoded can't be decoded: ${again.diagnostics.error?.code}`);
  sameItems(again.body, body, `${encoding}: decoded, encoded, decoded`);
  if (result) sameItems(again.result!, result, `${encoding}: applied`);
}

const emptyLayers = (() => {
  const layers = layersOfInts(new Int32Array(0));
  return { layers, diagnostics: layers.diagnostics };
})();

/** Applies a delta with the core, with the slow reference, and through a newly created delta. */
function checkApplied(base: Snapshot, delta: Delta, result: Snapshot, sizeOf: (type: number) => number): void {
  const slow = applySlowly(base, delta);
  check(slow !== 'size_differs', 'apply: sizes that differ were taken');
  check(result.count === slow.length, 'apply: fast and slow differ in the number of items');
  for (const [i, [key, data]] of slow.entries()) {
    check(result.keys[i] === key, `apply: fast and slow differ in key ${i}`);
    sameNumbers(result.item(i), data, `apply: fast and slow differ in item ${i}`);
  }
  check(result.checksum() === sumSlowly(slow), 'apply: another checksum');
  // Applied again, to the result and to the base: earlier calls must not change a result.
  const twice = unlessRefused(() => apply(result, delta));
  const slowly = applySlowly(result, delta);
  if (twice && slowly !== 'size_differs')
    check(twice.checksum() === sumSlowly(slowly), 'apply: twice, another checksum');
  check(!twice || slowly !== 'size_differs', 'apply: twice, sizes that differ were taken');
  sameItems(apply(base, delta), result, 'apply: another result when it is done again');
  const own = unlessRefused(() => createDelta(base, result, sizeOf));
  // A delta reaches only the first of repeated keys.
  if (!own || hasRepeats(base) || hasRepeats(result)) return;
  const made = apply(base, own);
  if (hashOf(made) !== hashOf(result)) same(sorted(made), sorted(result), 'createDelta: another result');
  check(made.checksum() === result.checksum(), 'createDelta: another checksum');
}

const hasRepeats = ({ keys, count }: Snapshot) => new Set(keys.subarray(0, count)).size < count;

const sorted = (snapshot: Snapshot) => itemsOf(snapshot).split(';').sort().join(';');
