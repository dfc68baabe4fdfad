import type { Protocol, Version } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type BinaryEncoding, type EncodingLayers, unwrap } from './encoding-layers.ts';
import { type Kind, type Payload, readPayload } from './payload.ts';
import { payloadEvidence } from './payload-evidence.ts';
import { implausible, penaltyOf } from './plausibility.ts';

/** What is known of an input beforehand; what is not is recognised. */
export interface Stated {
  readonly encoding?: BinaryEncoding | undefined;
  readonly kind?: Kind | undefined;
  readonly protocol?: Version | undefined;
}

export interface Recognised {
  readonly payload: Payload;
  /** How little the reading makes sense: 0 is a clean one. */
  readonly odd: number;
  /** The other readings that make as much sense, best first. */
  readonly equals: readonly Payload[];
}

/** A reading that was chosen by its bytes. */
export interface RecognisedPayload extends Recognised {
  /** How much the bytes speak for it, in bits. */
  readonly evidence: number;
}

// In the order in which readings that make equal sense are preferred.
const encodings = ['huffman', 'packed', 'ints'] as const;
const kinds: readonly Kind[] = ['delta', 'snapshot'];
/** From this penalty on, an input is taken to be damaged: then the reading counts that goes furthest. */
const damaged = 30;
/** A reading that so many bits speak for makes sense, even if it is damaged. */
const enough = 20;
const versions: readonly Version[] = ['0.6', '0.7', '0.5'];

/**
 * Reads an input in all ways that are not ruled out, and keeps the one that makes most sense. Where none does, and none was
 * asked for, the error is `unrecognised`.
 */
export function recognise(
  file: Uint8Array,
  stated: Stated,
  protocolOf: (version: Version) => Protocol,
  base?: Snapshot,
): RecognisedPayload {
  const candidates = stated.encoding ? [stated.encoding] : encodings;
  const inputs = candidates.map((encoding) => unwrap(file, encoding));
  const best = bestReading(inputs, stated, protocolOf, base);
  const { diagnostics } = best.payload;
  const isAsked = Object.values(stated).some((one) => one !== undefined);
  if (best.odd >= implausible && best.evidence < enough && !isAsked && diagnostics.error?.code !== 'input_too_large') {
    diagnostics.error = {
      severity: 'error',
      code: 'unrecognised',
      offset: 0,
      args: { fails: diagnostics.error?.code ?? '' },
    };
  }
  return best;
}

/** The same for an input whose ints are there already. */
export function bestReading(
  inputs: readonly EncodingLayers[],
  stated: Stated,
  protocolOf: (version: Version) => Protocol,
  base?: Snapshot,
): RecognisedPayload {
  const readings: { payload: Payload; odd: number; evidence: number }[] = [];
  for (const layers of inputs) {
    for (const kind of stated.kind ? [stated.kind] : kinds) {
      for (const version of stated.protocol ? [stated.protocol] : versions) {
        const payload = readPayload(layers, kind, protocolOf(version), base);
        readings.push({ payload, odd: penaltyOf(payload), evidence: payloadEvidence(payload) });
      }
    }
  }
  readings.sort((a, b) => a.odd - b.odd);
  if (readings[0]!.odd >= damaged) readings.sort((a, b) => b.evidence - a.evidence || a.odd - b.odd);
  const [best, ...rest] = readings as [(typeof readings)[0], ...typeof readings];
  const equals = rest.filter(({ odd }) => odd === best.odd && odd < implausible).map(({ payload }) => payload);
  return { ...best, equals };
}
