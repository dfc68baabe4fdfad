import type { Loss } from '../../edit/losses.ts';
import type { DemoFaults } from '../../explain/recording-explainer.ts';
import { address, count } from '../text/number.ts';
import type { CauseText } from './causes.ts';

/** `2 ranges of ticks lost, 54 deltas with wrong sizes` */
export function demoSummary({ losses, lostMessages, wrongSizes, isMapDamaged }: DemoFaults): string[] {
  return [
    ...(losses.length > 0 ? [isCut(losses) ? 'cut short' : `${count(losses.length, 'range')} of ticks lost`] : []),
    ...(lostMessages > 0 ? [`${count(lostMessages, 'message')} lost`] : []),
    ...(wrongSizes > 0 ? [`${count(wrongSizes, 'delta')} with wrong sizes`] : []),
    ...(isMapDamaged ? ['the map damaged'] : []),
  ];
}

/** The text about a kind of fault of a demo. */
interface DemoText extends CauseText {
  /** Whether the text is about lost ticks, which can be listed. */
  readonly areLosses?: boolean;
}

/** The faults of a demo, one text for each kind. */
export function demoTexts({ losses, lostMessages, wrongSizes, isMapDamaged }: DemoFaults): DemoText[] {
  const texts: DemoText[] = [];
  if (wrongSizes > 0) {
    texts.push({
      title: `${count(wrongSizes, 'delta')} of this demo, whose snapshots are of 0.7, have the item sizes of 0.6`,
      meaning: 'a player reads them with a shift, or refuses them',
      whereToLook:
        'the program that wrote it: DDNet writes player demos of 0.7 clients with the header and sizes of 0.6, and replays and cuts of 0.7 demos with its sizes since 2026-03',
    });
  }
  const [first] = losses;
  if (first && isCut(losses)) {
    const at = first.cause ? `, at 0x${address(first.cause.offset)}` : '';
    texts.push({
      title: `the demo is cut short${at}`,
      meaning: 'all before is in order',
      whereToLook: 'a game that was killed while it recorded, a full disk, a transfer that was broken off',
    });
  } else if (first) {
    texts.push({
      title: `bytes are damaged: ${count(losses.length, 'range')} of ticks ${losses.length === 1 ? 'is' : 'are'} lost`,
      areLosses: true,
      meaning: 'what is damaged, and the differences to it up to the next full snapshot, can not be trusted',
      whereToLook: 'what wrote or transferred the file; nothing in a demo is a checksum of its bytes',
    });
  }
  const whereToLook = 'what wrote or transferred the file';
  if (lostMessages > 0) {
    const title = `${count(lostMessages, 'message')} can not be read`;
    texts.push({ title, meaning: 'their bytes are damaged', whereToLook });
  }
  if (isMapDamaged) {
    const meaning = "neither the map's crc nor its sha256 is the one of the header";
    texts.push({ title: 'the map in the file is damaged', meaning, whereToLook });
  }
  return texts;
}

/** Whether the only fault is that the file ends early. */
const isCut = ([first, ...others]: readonly Loss[]) =>
  first !== undefined &&
  others.length === 0 &&
  first.next === undefined &&
  (first.cause?.code === 'truncated_chunk' || first.cause?.code === 'truncated_map');
