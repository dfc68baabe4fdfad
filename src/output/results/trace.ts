import type { SentBits, Trace, TraceStep } from '../../analysis/trace/trace.ts';
import type { Content } from '../../wire/annotate/span.ts';
import { numberText } from '../text/escape.ts';
import { fieldsOf } from './fields.ts';

const ofStep = fieldsOf<TraceStep>();
const ofSent = fieldsOf<SentBits>();
const ofTrace = fieldsOf<Trace>();

const textOf = (value: Content) =>
  typeof value === 'number' || value === undefined ? undefined : typeof value === 'string' ? value : numberText(value);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

export const traceSentFields = {
  sending: ofSent.among(
    ['snapshot', 'new_item', 'difference', 'base'],
    'how it came: with a whole snapshot or a new item, which send the value; as a difference to the base; or unchanged from the base, without bytes',
    ({ sending }) => sending,
  ),
  ints: ofSent.ints('what is sent: the value, or the difference; a text has several', ({ ints }) => ints),
  index: ofSent.orNull.int('of the first of them among the ints of the payload', ({ index }) =>
    index < 0 ? undefined : index,
  ),
  offset: ofSent.orNull.bytes(
    'of the payload in the file; null where it is not one range of it, as in captures',
    ({ offset }) => offset,
  ),
  payload_bytes: ofSent.bytes('of the payload', ({ payloadBytes }) => payloadBytes),
  bit: ofSent.int('the first bit in the payload: bit 0 is the lowest of its first byte', ({ bit }) => bit),
  bits: ofSent.int('how many; of a compressed payload those of the codes', ({ bits }) => bits),
};

export const traceStepFields = {
  tick: ofStep.tick('of the snapshot', ({ tick }) => tick),
  frame: ofStep.orAbsent.int('the packet of a capture, by the number that Wireshark gives it', ({ frame }) => frame),
  base: ofStep.tick('of the snapshot that the delta is a difference to; -1 for none', ({ base }) => base),
  value: ofStep.orNull.int('null for a text, and where the item has gone', ({ value }) => numberOf(value?.value)),
  text: ofStep.orAbsent.name('the value of a text', ({ value }) => textOf(value?.value)),
  symbol: ofStep.orAbsent.text('the name of the value', ({ value }) => value?.symbol),
  from: ofStep.orNull.int('the value in the base', ({ from }) => numberOf(from?.value)),
  sent: ofStep.orNull.object(
    'the bytes that set it; null where the item has gone, or a part is missing',
    ({ sent }) => sent,
    traceSentFields,
  ),
};

export const traceFields = {
  file: fieldsOf<Trace & { readonly file: string }>().name('path of the recording', ({ file }) => file),
  client: ofTrace.orAbsent.text('of a capture', ({ stream }) => stream.client || undefined),
  item: ofTrace.text('the item', ({ item }) => item),
  id: ofTrace.int('its id', ({ id }) => id),
  field: ofTrace.text('the field', ({ field }) => field),
  tick: ofTrace.tick('of the last snapshot up to the moment', ({ tick }) => tick),
  value: ofTrace.orNull.int('then; null for a text, and without the item', ({ value }) => numberOf(value?.value)),
  text: ofTrace.orAbsent.name('the value of a text', ({ value }) => textOf(value?.value)),
  symbol: ofTrace.orAbsent.text('the name of the value', ({ value }) => value?.symbol),
  set_by: ofTrace.orNull.object(
    'the snapshot that gave it this value; null without the item',
    ({ value, steps, setBy }) => (value === undefined ? undefined : steps[setBy]),
    traceStepFields,
  ),
  changes: ofTrace.table(
    'all snapshots in which it is another than in the one before, of the whole recording',
    ({ steps }) => steps,
    traceStepFields,
  ),
  snapshots: ofTrace.int('how many have the item', ({ snapshots }) => snapshots),
  sent_times: ofTrace.int(
    'how often the value was sent, also unchanged beside another field',
    ({ sent }) => sent.times,
  ),
  sent_bits: ofTrace.int('what that cost', ({ sent }) => sent.bits),
};
