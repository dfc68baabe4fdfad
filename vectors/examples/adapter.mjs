// node check.mjs -- node examples/adapter.mjs
import { createInterface } from 'node:readline';

// Three layers of a decoder. Import yours in their place.
function byteAt(data, at) {
  if (at >= data.length) throw new RangeError('end of the data');
  return data[at];
}

function varint(data) {
  let byte = byteAt(data, 0);
  let [value, size] = [byte & 0x3f, 1];
  const isInverted = byte & 0x40;
  for (; byte & 0x80 && size < 5; size++) {
    byte = byteAt(data, size);
    value |= (byte & (size === 4 ? 0x0f : 0x7f)) << (7 * size - 1);
  }
  return { value: isInverted ? ~value : value, size };
}

function string(data) {
  const end = data.indexOf(0);
  if (end < 0) throw new RangeError('no NUL');
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data.subarray(0, end));
  return { text, size: end + 1 };
}

function chunk(data, split) {
  const [first, second] = [byteAt(data, 0), byteAt(data, 1)];
  const vital = (first & 0x40) !== 0;
  const size = ((first & 0x3f) << split) | (second & ((1 << split) - 1));
  const out = { vital, resend: first >= 0x80, header: vital ? 3 : 2, size };
  if (vital) out.sequence = (((second >> split) << (split + 2)) & 0x3ff) | byteAt(data, 2);
  return out;
}

const layers = { varint, string, chunk: (data, { protocol }) => chunk(data, protocol === '0.7' ? 6 : 4) };

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const { id, layer } = question;
  let answer = { skip: true };
  try {
    if (layers[layer]) answer = { out: layers[layer](Buffer.from(question.in, 'hex'), question) };
  } catch (error) {
    answer = { error: error.message }; // what your decoder refuses with
  }
  console.log(JSON.stringify({ id, ...answer }));
}
