import { h } from './dom.ts';

const ofTicks: readonly (readonly [keys: string, what: string])[] = [
  ['space', 'play, pause'],
  ['← →', 'one snapshot back, forward'],
  ['[ ]', 'play from here, up to here'],
  ['< >', 'one second back, forward'],
  ['+ − 0', 'in the timeline: zoom in, out, all'],
  ['← →', 'in the timeline: move; in the bytes: move from value to value'],
];
const ofBytes = [['← →', 'in the bytes: move from value to value']] as const;

/** Lists the keyboard shortcuts and names the program that made the page. */
export const footer = (hasTicks: boolean) =>
  h(
    'footer',
    { class: 'dim' },
    ...(hasTicks ? ofTicks : ofBytes).map(([key, what]) => h('span', {}, h('kbd', {}, key), ` ${what}`)),
    h('span', {}, `made by tw-snap ${VERSION}`),
  );
