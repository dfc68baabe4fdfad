import { ignore, type Warn } from '../bytes/diagnostic.ts';
import { enumeration } from '../protocol/meaning.ts';
import type { MessageValue } from './message-reader.ts';
import { controlsOf, type Packet } from './packet.ts';
import { bytesType, PacketValues, textType, tokenBytes } from './packet-values.ts';

/** The magic bytes with which DDNet's client of 0.6 asks for a token. */
const magic = [0x54, 0x4b, 0x45, 0x4e];

/**
 * The values of a control packet; positions are offsets in the whole packet, decompressed.
 * ```
 * 0.6     code u8   [reason NUL]   [magic "TKEN"]   [token[4]]                  magic and token of DDNet
 * 0.6.5   code u8   [zeros[4]]   [token[4]]   [zeros]                           of a connect, with a token to send packets with
 * 0.7     code u8   [reason NUL]   [response_token[4]]   [zeros]
 * ```
 */
export function readControl({ version, headSize, control, payload }: Packet, warn: Warn = ignore): MessageValue[] {
  const values = new PacketValues(payload, 0, headSize);
  const isClose = control === 4;
  const isRequest = control === 1 || control === 5;
  values.add('code', enumeration(controlsOf(version)), 1, control);
  if (isClose) {
    const { position } = values;
    if (!values.addReason(version === '0.6')) warn('unterminated_reason', position);
  }
  if (version === '0.6') {
    if (values.begins(magic)) values.add('magic', textType, magic.length);
    else if (control === 1 && values.left > tokenBytes && values.begins(noMagic)) {
      values.add('padding', bytesType, noMagic.length);
      values.add('token', bytesType, tokenBytes);
    }
    if (values.left === tokenBytes) values.add('token', bytesType, tokenBytes);
  } else if (control !== 0 && !isClose && values.left >= tokenBytes) {
    values.add('response_token', bytesType, tokenBytes);
  }
  if (isRequest) values.addPadding();
  if (values.left > 0) warn('control_excess', values.position, { bytes: values.left });
  values.addRest();
  return values.read;
}

/** A connect of 0.6.5 has zeros at the position of DDNet's magic bytes. */
const noMagic = [0, 0, 0, 0];
