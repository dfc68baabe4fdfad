import { h } from './dom.ts';

const ofTicks: readonly (readonly [keys: string, what: string])[] = [
  [', .', 'one snapshot back, on'],
  ['< >', 'one second back, on'],
  ['+ − 0', 'in the timeline: zoom in, out, all'],
  ['← →', 'in the timeline: move; in the bytes: from value to value'],
];
const ofBytes = [['← →', 'in the bytes: from value to value']] as const;

/** What keys do, and what made it. */
export const footer = (hasTicks: boolean) =>
  h(
    'footer',
    { class: 'dim' },
    ...(hasTicks ? ofTicks : ofBytes).map(([key, what]) => h('span', {}, h('kbd', {}, key), ` ${what}`)),
    h('span', {}, `made by tw-snap ${VERSION}`),
  );
