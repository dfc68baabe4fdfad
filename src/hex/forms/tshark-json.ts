import { type ByteString, badHex, type Form, shifted } from '../form.ts';
import { readPlain } from './plain.ts';

/** The keys of a packet's bytes, the outermost layer first: the frame with `-x`, otherwise the UDP payload. */
const layers = ['frame_raw', 'udp.payload', 'data.data', 'udp_udp_payload', 'data_data_data'] as const;
const fields = new RegExp(`"(${layers.join('|').replaceAll('.', '\\.')})"\\s*:\\s*\\[?\\s*"([0-9a-f:]*)"`, 'g');

/**
 * `tshark -T json -x`, `-T json`, `-T jsonraw`, `-T ek`
 *
 *     [{"_source": {"layers": {"frame_raw": ["00000000000008004500…", 0, 90, 0, 1], …}}}]
 */
export const tsharkJson: Form = {
  name: 'JSON of tshark',
  example: '{"layers": {"frame_raw": ["10050228…"]}}',
  detect: ({ text }) => /^\s*[[{]/.test(text) && text.includes('"layers"'),
  read({ text }) {
    const found = [...text.matchAll(fields)];
    const layer = layers.find((name) => found.some(([, one]) => one === name));
    if (!layer) throw badHex(text, 0, 'packets with bytes (tshark -x)', 'JSON of tshark without bytes');
    const parts: ByteString[] = [];
    for (const { index, 0: whole, 1: name, 2: digits } of found) {
      if (name !== layer) continue;
      const start = index + whole.length - digits!.length - 1;
      parts.push({ start, bytes: shifted(start, () => readPlain(digits!, true)) ?? new Uint8Array() });
    }
    return { parts };
  },
};
