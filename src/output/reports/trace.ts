import type { SentBits, Trace, TraceStep } from '../../analysis/trace/trace.ts';
import type { DescribedValue } from '../../wire/annotate/describe.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { Column } from '../text/columns.ts';
import { tableOf } from '../text/drawn-table.ts';
import { pathText, shellWord, valueInLine } from '../text/escape.ts';
import { bitAddress, clock, count } from '../text/number.ts';
import type { LabelledRow } from '../text/rows.ts';
import { printSections, type Section } from '../text/sections.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';

/** The number of changes before and after the moment that are shown; `-v` shows all. */
const maxBefore = 6;
const maxAfter = 6;

/** Why a value is what it is: what set it, and its life. */
export function renderTrace(trace: Trace, file: string, style: ViewStyle): string {
  const { item, id, field, tick, value, setBy, steps, stream } = trace;
  const { theme, verbose } = style;
  const set = value ? steps[setBy] : undefined;
  const name = `${pathText(file)}@${tick}`;
  const client = stream.client === '' ? [] : [stream.client];
  const title = [
    name,
    ...client,
    `${item}/${id}.${field} = ${set ? theme.strong(wordOf(set.value)) : 'not there'}`,
  ] as const;
  const from = verbose ? 0 : Math.max(0, setBy + 1 - maxBefore);
  const shown = steps.slice(from, verbose ? undefined : setBy + 1 + maxAfter);
  const left = steps.length - shown.length;
  const sections: Section[] = [
    { title, rows: set ? setRows(trace, set) : goneRows(trace) },
    { table: tableOf(columnsOf(trace, theme), shown), lines: left > 0 ? [`  ${count(left, 'more change')} (-v)`] : [] },
    { rows: [costRow(trace), ...(set ? pageRows(trace, set, file) : [])] },
  ];
  return printSections(sections, style);
}

function setRows(trace: Trace, { tick, frame, base, from, value, sent }: TraceStep): LabelledRow[] {
  const age = trace.tick === tick ? [] : [`${clock((trace.tick - tick) / ticksPerSecond)} before`];
  const packet = frame === undefined ? [] : [`packet ${frame}`];
  return [
    ['set by', [`tick ${tick}`, ...packet, ...age].join(', ')],
    ['came as', meansOf(sent, base)],
    ...(from && sent?.sending === 'difference' ? [['arithmetic', sumOf(from, value, sent)] as const] : []),
    ...(sent && sent.bits > 0 ? [['bytes', placeOf(sent)] as const] : []),
  ];
}

const goneRows = ({ steps, setBy }: Trace): LabelledRow[] => [
  ['why', setBy < 0 ? 'no snapshot before had this item' : `it is in no snapshot since tick ${steps[setBy]!.tick}`],
];

function meansOf(sent: SentBits | undefined, base: number): string {
  if (!sent) return 'unknown: a part of the snapshot is missing';
  switch (sent.sending) {
    case 'snapshot':
      return 'a value of a whole snapshot';
    case 'new_item':
      return base < 0 ? 'a value of a new item' : `a value of an item that its base, tick ${base}, does not have`;
    case 'difference':
      return `a difference to tick ${base}`;
    default:
      return `the value of its base, tick ${base}: no bytes`;
  }
}

/** `1 (gun) − 1 = 0 (hammer)`; a text is sent as differences of its ints. */
function sumOf(from: DescribedValue, value: DescribedValue | undefined, { ints }: SentBits): string {
  const [difference = 0] = ints;
  if (ints.length !== 1) return `${wordOf(from)} → ${wordOf(value)}`;
  return `${wordOf(from)} ${difference < 0 ? '−' : '+'} ${Math.abs(difference)} = ${wordOf(value)}`;
}

/** `0x2f01.3, 11 bits: int 57 of 88 bytes at 0x2ef0`; of a packet the byte in its delta. */
function placeOf({ offset, bit, bits, index, payloadBytes }: SentBits): string {
  const payload = `int ${index} of the ${count(payloadBytes, 'byte')}`;
  if (offset === undefined) return `byte ${Math.floor(bit / 8)} of the delta, ${count(bits, 'bit')}: ${payload}`;
  return `0x${bitAddress(8 * offset + bit)}, ${count(bits, 'bit')}: ${payload} from 0x${offset.toString(16)}`;
}

function columnsOf(trace: Trace, theme: Theme): Column<TraceStep>[] {
  const first = trace.steps[0]?.tick ?? 0;
  const isSet = (step: TraceStep) => trace.value !== undefined && step === trace.steps[trace.setBy];
  const columns: (Column<TraceStep> | false)[] = [
    { head: 'tick', cell: (step) => (isSet(step) ? theme.strong(String(step.tick)) : String(step.tick)) },
    { head: 'after', cell: ({ tick }) => clock((tick - first) / ticksPerSecond) },
    trace.steps.some(({ frame }) => frame !== undefined) && {
      head: 'packet',
      cell: ({ frame }) => String(frame ?? ''),
    },
    { head: 'value', align: 'left', cell: ({ value }) => (value ? wordOf(value) : theme.dim('gone')) },
    { head: 'came as', align: 'left', cell: ({ sent, base, value }) => (value ? shortOf(sent, base) : '') },
    { head: 'bits', cell: ({ sent }) => (sent ? String(sent.bits) : '') },
    {
      head: 'at',
      align: 'left',
      cell: ({ sent }) => {
        if (!sent || sent.bits === 0) return '';
        return sent.offset === undefined
          ? `+${Math.floor(sent.bit / 8)}`
          : `0x${bitAddress(8 * sent.offset + sent.bit)}`;
      },
    },
  ];
  return columns.filter((column) => column !== false);
}

function shortOf(sent: SentBits | undefined, base: number): string {
  if (!sent) return 'unknown';
  const { sending, ints } = sent;
  if (sending === 'difference') {
    const sum = ints.length === 1 ? `${ints[0]! < 0 ? '−' : '+'}${Math.abs(ints[0]!)}` : `${ints.length} ints`;
    return `${sum} to ${base}`;
  }
  return { snapshot: 'whole snapshot', new_item: 'new item', base: `as in ${base}` }[sending];
}

function costRow({ sent, snapshots, steps }: Trace): LabelledRow {
  const bytes = (sent.bits / 8).toFixed(1);
  const times = count(steps.filter(({ value }) => value).length, 'time');
  return [
    'life',
    `set ${times} in ${count(snapshots, 'snapshot')},`,
    `sent ${count(sent.times, 'time')},`,
    `${bytes} bytes`,
  ];
}

/** The page of the ticks from the change on, and where it shows the value; standard input cannot be read twice. */
function pageRows({ item, id, tick, stream: { client } }: Trace, set: TraceStep, file: string): LabelledRow[] {
  if (file === standardInput) return [];
  const which = client === '' ? '' : ` --client ${shellWord(client)}`;
  return [
    ['page', `tw-snap report ${shellWord(file)} --ticks ${set.tick}..${tick}${which} -o page.html`],
    ['', `page.html#tick=${tick}&item=${item}/${id}`],
  ];
}

const standardInput = 'standard input';

const wordOf = (value: DescribedValue | undefined): string => {
  if (!value) return '?';
  const { symbol, quantity } = value;
  const beside = symbol ?? quantity;
  return beside === undefined ? valueInLine(value.value) : `${valueInLine(value.value)} (${beside})`;
};
