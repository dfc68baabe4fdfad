import { enumeration } from '../protocol/meaning.ts';
import type { MessageValue } from './message.ts';
import { controlsOf, type Packet } from './packet.ts';
import { bytesType, PacketValues, textType, tokenBytes } from './packet-values.ts';

/** What DDNet's client of 0.6 says to be given a token. */
const magic = [0x54, 0x4b, 0x45, 0x4e];

/**
 * What a control packet says; positions count in the whole packet.
 * ```
 * 0.6   code u8   [reason NUL]   [magic "TKEN"]   [token[4]]                    magic and token of DDNet
 * 0.7   code u8   [reason NUL]   [response_token[4]]   [zeros]
 * ```
 */
export function readControl(packet: Uint8Array, { version, headSize, control }: Packet): MessageValue[] {
  const values = new PacketValues(packet, headSize);
  const isClose = control === 4;
  const isRequest = control === 1 || control === 5;
  values.take('code', enumeration(controlsOf(version)), 1, control);
  if (isClose) values.takeReason();
  if (version === '0.6') {
    if (values.begins(magic)) values.take('magic', textType, magic.length);
    if (values.left === tokenBytes) values.take('token', bytesType, tokenBytes);
  } else if (control !== 0 && !isClose && values.left >= tokenBytes) {
    values.take('response_token', bytesType, tokenBytes);
  }
  if (isRequest) values.takePadding();
  values.takeRest();
  return values.read;
}
