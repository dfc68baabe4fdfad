import { hexText } from '../../wire/bytes/to-hex.ts';
import { type Version, versions } from '../../wire/protocol/registry.ts';

/** A payload in the fragment of an address: `#hex=00030006&p=0.7`. */
interface PayloadLink {
  readonly bytes: Uint8Array;
  readonly version: Version | undefined;
}

/** Longer payloads are not written into the address because some programs truncate long addresses. */
export const maxLinkBytes = 2048;

/** Reads a payload from a fragment; undefined if it has none or its hex is invalid. */
export function readPayloadLink(hash: string): PayloadLink | undefined {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const hex = parameters.get('hex')?.replace(/\s/g, '') ?? '';
  if (hex.length % 2 !== 0 || hex === '' || !/^[0-9a-f]+$/i.test(hex)) return undefined;
  const bytes = Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
  return { bytes, version: versions.find((version) => version === parameters.get('p')) };
}

/** Writes a fragment that {@link readPayloadLink} reads; undefined for a payload that is empty or too long. */
export function writePayloadLink({ bytes, version }: PayloadLink): string | undefined {
  if (bytes.length === 0 || bytes.length > maxLinkBytes) return undefined;
  return `#hex=${hexText(bytes)}${version ? `&p=${version}` : ''}`;
}
