import { quote } from '../../output/text/escape.ts';
import type { Mark } from '../data/marks.ts';
import { Recording } from '../data/shown-recording.ts';
import type { Shown, State } from '../data/store.ts';
import { topicColors } from '../data/topics.ts';
import type { ReportData } from '../report/report-data.ts';
import { clientOf, type Track } from '../report/track.ts';
import { missingItem, type ReportLink } from './link.ts';

/** What is shown of a recording before anything is chosen. */
export function defaultView({ opening, ticks: { from, to } }: Recording, { map }: ReportData): Shown {
  return {
    view: 'watch',
    item: undefined,
    followed: opening.followed,
    camera: undefined,
    showsPaths: !map,
    hidden: [],
    look: 'game' as const,
    filter: '',
    onlyChanged: false,
    query: '',
    plots: [],
    repeated: undefined,
    record: undefined,
    layer: 'bytes',
    visible: { from, to: Math.max(to, from + 1) },
  };
}

/** What is shown of a track at a place, before it has been read. */
export function openedTrack(reportData: ReportData, track: number, { client, tick, ...shown }: ReportLink) {
  const recording = new Recording(reportData, track);
  const position = tick === undefined ? recording.opening.position : recording.positionOf(tick);
  return {
    track,
    recording,
    position,
    isPlaying: false,
    isScrubbing: false,
    read: 0,
    marks: marksOf(recording, reportData),
    found: [],
    foundAt: -1,
    scene: undefined,
    tick: recording.snapshot(position).tick,
    ...defaultView(recording, reportData),
    ...shown,
  };
}

/** The marks of the slider: events and findings, by tick. */
function marksOf({ track, eventLines }: Recording, { findings, causes = [] }: ReportData): Mark[] {
  const found = [...causes, ...findings].filter(({ tick, track: name }) => tick !== undefined && name === track.name);
  return [
    ...eventLines.map(({ tick, topic, parts }) => {
      return { tick, text: parts.map(({ text }) => text).join(''), color: topicColors[topic] };
    }),
    ...found.map(({ tick, text }) => ({ tick: tick!, text, color: '--ink' })),
  ].sort((a, b) => a.tick - b.tick);
}

/** The number of the track that a link names; otherwise of the connection of which most snapshots could be rebuilt. */
export function trackOf({ tracks, connections = [] }: ReportData, { client = '' }: ReportLink): number {
  const named = tracks.findIndex(({ name }) => name === client);
  if (named >= 0) return named;
  const rebuilt = (track: Track) =>
    connections.find((connection) => clientOf(track) === connection.client)?.rebuilt ?? 0;
  const order = [...tracks.keys()].sort(
    (a, b) =>
      rebuilt(tracks[b]!) - rebuilt(tracks[a]!) || tracks[b]!.snapshots.length - tracks[a]!.snapshots.length || a - b,
  );
  return order[0]!;
}

/**
 * Where the page opens: at the tick or item that the address names, where the report wants it, or at the first finding.
 */
export function firstPlace(reportData: ReportData, link: ReportLink): ReportLink {
  if (link.tick !== undefined || link.item !== undefined) return link;
  const { opening, query, tracks, findings, causes = [] } = reportData;
  const place = { ...link, query: link.query ?? query ?? '' };
  if (opening && link.client === undefined) return { ...place, ...opening };
  const client = link.client ?? tracks[trackOf(reportData, link)]!.name;
  const found = [...causes, ...findings].find(({ tick = -1, track }) => tick >= 0 && client === track);
  return found
    ? { ...place, client: found.track || undefined, view: link.view ?? 'inspect', tick: found.tick, item: found.item }
    : place;
}

/** What of a link is not in the recording that it has opened: a sentence, empty if all is there. */
export function missingOf(
  { client, tick, item }: ReportLink,
  { recording, position, inspected }: Pick<State, 'recording' | 'position' | 'inspected'>,
): string {
  const { name } = recording.track;
  const shown = recording.snapshot(position).tick;
  if (client !== undefined && client !== name)
    return `There is no connection ${quote(client)} here: this is ${name || 'a demo'}.`;
  if (tick !== undefined && tick !== shown) return `There is no snapshot of tick ${tick}: this is tick ${shown}.`;
  return missingItem(item, inspected);
}
