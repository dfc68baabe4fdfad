import { hexText } from '../hex/to-hex.ts';
import type { Version } from '../protocol/registry.ts';

/** A connection, tick and item of a report, written as the fragment of a link: `#tick=8170&item=obj_character/0`. */
export interface ReportLink {
  /** The client that identifies a connection in a capture. */
  readonly client?: string | undefined;
  readonly tick?: number | undefined;
  /** The item's name and id. */
  readonly item?: string | undefined;
}

/** Reads the fragment of an address, from `#` on. Invalid and unknown parameters are ignored. */
export function readLink(hash: string): ReportLink {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const { client, tick = '', item = '' }: Partial<Record<string, string>> = Object.fromEntries(parameters);
  return {
    client,
    tick: /^\d{1,10}$/.test(tick) ? Number(tick) : undefined,
    item: /^[\w.() -]+\/\d+$/.test(item) ? item : undefined,
  };
}

/** Writes a fragment that {@link readLink} reads. */
export function writeLink({ client, tick, item }: ReportLink): string {
  const parameters: string[] = [];
  if (client !== undefined) parameters.push(`client=${encodeURIComponent(client)}`);
  if (tick !== undefined) parameters.push(`tick=${tick}`);
  if (item !== undefined) parameters.push(`item=${encodeURIComponent(item).replace('%2F', '/')}`);
  return `#${parameters.join('&')}`;
}

/** A payload in the fragment of an address: `#hex=00030006&p=0.7`. */
interface PayloadLink {
  readonly bytes: Uint8Array;
  readonly version: Version | undefined;
}

/** Longer payloads are not written into the address because some programs truncate long addresses. */
export const maxLinkBytes = 2048;

const versions: readonly Version[] = ['0.5', '0.6', '0.7'];

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
