import { later } from '../../src/input/source/later.ts';
import { diagnosticsOf } from '../../src/input/source/read-payload.ts';
import { renderDump, renderHexdump } from '../../src/output/hexdump/hexdump.ts';
import { pathText } from '../../src/output/text/escape.ts';
import { annotate } from '../../src/wire/annotate/payload-spans.ts';
import type { Payload } from '../../src/wire/payload/payload.ts';
import { inputOf } from '../lib/input/input-of.ts';
import { type Input, type LoadedInput, refuseMeaningless, refuseNeedlessBase } from '../lib/input/inputs.ts';
import {
  conclude,
  concludeDiagnostics,
  describeReading,
  type LoadedText,
  refuseUnrecognised,
  withDoubt,
} from '../lib/input/loaded.ts';
import { type Opened, open, openText } from '../lib/input/opened.ts';
import { exit, usageError } from '../lib/options/errors.ts';
import { anyInput, common, flag, type Given, itemSelection, player, printing } from '../lib/options/options.ts';
import { isToStdout, type Printing, print, printingOf } from '../lib/output/printing.ts';
import { OutputWriter } from '../lib/output/writer.ts';
import type { Io } from '../lib/platform/io.ts';
import { printNote, printNothing } from '../lib/platform/note.ts';
import type { Selection } from './selected.ts';

type Options = Given<(typeof definition)['options']>;

export const definition = {
  arguments: {
    '[file]':
      "a file, FILE@MOMENT of a recording, FILE#N for packet N of a capture, or hex; '-' or nothing for standard input",
  },
  options: {
    ...anyInput,
    player,
    ...itemSelection('items of these types and messages'),
    link: flag('--link', 'print a link that shows these bytes in the page, after the address in TW_SNAP_SITE', {
      refusal: (given) => {
        const other = ['base', 'schema', 'type', 'id', 'player'].find((name) => given[name] !== undefined);
        if (other) return `--link carries the bytes and their version, not --${other}`;
        return given.to === 'hexdump' ? undefined : '--link prints a link: not with -t';
      },
    }),
    ...printing(['hexdump', 'table', 'json']),
    strict: common.strict,
    showSecrets: common.showSecrets,
  },
  help: `
Examples:
  tw-snap decode samples/first.huff
  tw-snap decode server.packet -v
  tw-snap decode match.demo@9938 -t table
  tw-snap decode server.pcap#101
  tw-snap decode chat.txt --nth 2
  printf '00 01 00 11 05 90 0c b0 04' | tw-snap decode -p 0.7 -t json`,
};

export async function run([path]: readonly (string | undefined)[], given: Options, io: Io): Promise<number> {
  const read = await inputOf(given, io);
  const isSelected = given.type ?? given.id ?? given.player;
  const select = isSelected && (await import('./selected.ts')).selection(given, read.schema);
  const input = select ? { ...read, player: select.filter.player } : read;
  const printing = {
    ...(await printingOf(given, io)),
    showSecrets: given.showSecrets === true,
    ...(select && { select }),
    ...(given.link && { site: io.env.TW_SNAP_SITE ?? '' }),
  };
  // The base is one of the inputs that options may be about.
  const base = await input.readBase?.();
  const opened = isHex(path, io) ? await openText('argument', path) : await open(path, input);
  refuseMeaningless([opened, ...input.opened], input);
  return withDoubt(await decode(opened, input, printing), base);
}

async function decode(opened: Opened, input: Input, printing: DecodePrinting): Promise<number> {
  if (!opened.format && input.nth === undefined) {
    const text = await opened.payloads(input);
    if (text.count > 1) return decodeAll(opened.name, text, input, printing);
    return decodeOne(await text.read(0), input, printing);
  }
  return decodeOne(await opened.payload(input), input, printing);
}

/** Whether an argument is hex instead of the name of a file: `tw-snap decode '10 0e 03 08'`. */
const isHex = (text: string | undefined, io: Io): text is string =>
  text !== undefined && /^(?:(?:0x|\\x)?[0-9a-f]{2}[\s,:]*){3,}$/i.test(text) && !io.exists(text);

interface DecodePrinting extends Printing<'hexdump' | 'table' | 'json'> {
  /** What is shown; undefined for everything. */
  readonly select?: Selection | undefined;
  readonly showSecrets: boolean;
  /** The address of the page, if a link to it is printed. */
  readonly site?: string;
}

async function decodeOne(loaded: LoadedInput, input: Input, printing: DecodePrinting): Promise<number> {
  if (printing.format !== 'json') refuseUnrecognised(loaded, input);
  refuseNeedlessBase(loaded.name, input);
  if (loaded.kind === 'payload' && printing.showSecrets)
    throw usageError(`${loaded.name}: --show-secrets is for packets and messages; this has only items`);
  const isOnScreen = input.io.stdout.isTerminal && isToStdout(printing);
  await describeReading(loaded, input, isOnScreen && printing.format !== 'json');
  await print(await render(loaded, printing), printing);
  const found = await endSearch(!printing.select?.isEmpty(loaded), loaded.name, printing, input.io);
  return withDoubt(Math.max(found, await conclude(loaded, input, printing)), loaded);
}

/** Decodes all packets of a text, one after another; as JSON they are one array. */
async function decodeAll(name: string, { form, count, read }: LoadedText, input: Input, printing: DecodePrinting) {
  const { io } = input;
  await printNote(`${pathText(name)}: ${count} packets from text (${form}); --nth N shows one alone`, io);
  const isJson = printing.format === 'json';
  const writer = new OutputWriter(printing, io);
  let status: number = exit.fine;
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const loaded = await read(i);
    const text = await render(loaded, printing);
    if (isJson) await writer.write(i === 0 ? '[' : ',\n');
    else if (text !== '' && hits > 0) await writer.write('\n');
    await writer.write(isJson ? text.trimEnd() : text);
    if (!printing.select?.isEmpty(loaded)) hits++;
    status = Math.max(status, await concludeDiagnostics(loaded.name, diagnosticsOf(loaded), input, printing));
  }
  if (isJson) await writer.write(']\n');
  await writer.end(status);
  refuseNeedlessBase(name, input);
  return Math.max(status, await endSearch(hits > 0, name, printing, io));
}

/** A search without a hit says so, and its status is 1, as that of `dump`. */
async function endSearch(isFound: boolean, name: string, { select }: DecodePrinting, io: Io): Promise<number> {
  if (isFound || !select) return exit.fine;
  await printNothing(name, select.filter, io);
  return exit.finding;
}

/** Empty if nothing of it is selected, except as JSON. */
async function render(loaded: LoadedInput, printing: DecodePrinting): Promise<string> {
  const { select, format, site } = printing;
  select?.onInput(loaded);
  if (select?.isEmpty(loaded) && format !== 'json') return '';
  if (site !== undefined) return (await import('./link.ts')).linkOf(loaded, site, printing.showSecrets);
  if (loaded.kind === 'payload') return renderPayload(loaded.name, loaded.payload, printing);

  const { contentsWithoutSecrets } = await packetSecrets();
  const whole = printing.showSecrets ? loaded.contents : contentsWithoutSecrets(loaded.contents);
  const contents = select?.contents(whole) ?? whole;
  const options = { name: loaded.name, ...printing, filter: select?.filter };
  if (format === 'hexdump') {
    const { annotateContents } = await packetSpans();
    const title = (await packetTitle()).packetHeader(whole, loaded.name, options);
    return options.fit(renderDump(contents, title, annotateContents(whole), options, select?.isShown(contents)));
  }
  if (format === 'table') return options.fit((await tableView()).renderPacketTable(contents, options, whole));
  const { packetJson } = await packetView();
  return (await jsonView()).renderJson(packetJson(contents, options.filter));
}

async function renderPayload(name: string, payload: Payload, printing: DecodePrinting): Promise<string> {
  const { select, format } = printing;
  const options = { name, ...printing, filter: select?.filter };
  if (format === 'hexdump') {
    return options.fit(renderHexdump(payload, annotate(payload), options, select?.isShown(payload)));
  }
  if (format === 'table') return options.fit((await tableView()).renderTable(payload, options));
  const { payloadJson, renderJson } = await jsonView();
  return renderJson(payloadJson(payload, options.filter));
}

const packetSecrets = later(() => import('../../src/wire/packet/secrets.ts'));
const packetSpans = later(() => import('../../src/wire/annotate/packet-spans.ts'));
const packetTitle = later(() => import('../../src/output/hexdump/packet-header.ts'));
const packetView = later(() => import('../../src/output/json/packet-json.ts'));
const tableView = later(() => import('../../src/output/reports/decode.ts'));
const jsonView = later(() => import('../../src/output/json/item-json.ts'));
