import type { Loss } from '../../edit/losses.ts';
import type { DemoFaults } from '../../explain/demo-check.ts';
import { renderLosses } from '../edit/losses.ts';
import { address, count } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { Rows } from './rows.ts';

interface ExplainStyle {
  readonly theme: Theme;
  readonly width: number;
}

/** `2 ranges of ticks lost, 54 deltas with wrong sizes` */
export function demoSummary({ losses, lostMessages, wrongSizes, isMapDamaged }: DemoFaults): string[] {
  return [
    ...(losses.length > 0 ? [isCut(losses) ? 'cut short' : `${count(losses.length, 'range')} of ticks lost`] : []),
    ...(lostMessages > 0 ? [`${count(lostMessages, 'message')} lost`] : []),
    ...(wrongSizes > 0 ? [`${count(wrongSizes, 'delta')} with wrong sizes`] : []),
    ...(isMapDamaged ? ['the map damaged'] : []),
  ];
}

/** The faults of a demo, one part for each kind. */
export function demoParts(faults: DemoFaults, again: string | undefined, style: ExplainStyle): string[][] {
  const { losses, lostMessages, wrongSizes, isMapDamaged } = faults;
  const part = (title: string, lines: readonly string[], meaning: string, whereToLook: string) => {
    const rows = new Rows(style);
    rows.put('meaning', meaning);
    rows.put('look for', whereToLook);
    if (again) rows.putWhole('repair', `tw-snap repair ${again} -o whole.demo`);
    return [`${style.theme.error('✗')} ${title}`, ...lines.map((line) => `  ${line}`), ...rows.lines];
  };
  const parts: string[][] = [];
  if (wrongSizes > 0) {
    parts.push(
      part(
        `${count(wrongSizes, 'delta')} of this demo, whose snapshots are of 0.7, have the item sizes of 0.6`,
        [],
        'a player reads them with a shift, or refuses them',
        'the program that wrote it: DDNet writes player demos of 0.7 clients with the header and sizes of 0.6, and replays and cuts of 0.7 demos with its sizes since 2026-03',
      ),
    );
  }
  const [first] = losses;
  if (first && isCut(losses)) {
    const at = first.cause ? `, at 0x${address(first.cause.offset)}` : '';
    const whereToLook = 'a game that was killed while it recorded, a full disk, a transfer that was broken off';
    parts.push(part(`the demo is cut short${at}`, [], 'all before is in order', whereToLook));
  } else if (first) {
    const whereToLook = 'what wrote or transferred the file; nothing in a demo is a checksum of its bytes';
    const meaning = 'what is damaged, and the differences to it up to the next full snapshot, can not be trusted';
    const title = `bytes are damaged: ${count(losses.length, 'range')} of ticks ${losses.length === 1 ? 'is' : 'are'} lost`;
    parts.push(part(title, renderLosses(losses, style.theme), meaning, whereToLook));
  }
  if (lostMessages > 0) {
    const title = `${count(lostMessages, 'message')} can not be read`;
    parts.push(part(title, [], 'their bytes are damaged', 'what wrote or transferred the file'));
  }
  if (isMapDamaged) {
    const meaning = "neither the map's crc nor its sha256 is the one of the header";
    parts.push(part('the map in the file is damaged', [], meaning, 'what wrote or transferred the file'));
  }
  return parts;
}

/** Whether the only fault is that the file ends early. */
const isCut = ([first, ...others]: readonly Loss[]) =>
  first !== undefined &&
  others.length === 0 &&
  first.next === undefined &&
  (first.cause?.code === 'truncated_chunk' || first.cause?.code === 'truncated_map');
