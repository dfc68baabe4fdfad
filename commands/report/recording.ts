import type { TickRange } from '../../src/protocol/ticks.ts';
import { isOfClient } from '../../src/recording/record.ts';
import { type Health, RecordingSummary } from '../../src/recording/recording-summary.ts';
import type { Fact, Tone } from '../../src/report/report-data.ts';
import { sizeBreakdown } from '../../src/report/size-breakdown.ts';
import { RecordingStats } from '../../src/stats/recording-stats.ts';
import { healthText } from '../../src/view/info/health.ts';
import { infoRows, kindText } from '../../src/view/info/info.ts';
import type { InfoRow } from '../../src/view/info/row.ts';
import { plainTheme } from '../../src/view/text/theme.ts';
import { healthStatus } from '../lib/health-status.ts';
import { requireClient } from '../lib/input/capture-client.ts';
import { type OpenedRecording, openReplay } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';
import { nameOf, type Report, type ReportContext } from './context.ts';
import { ReportMap } from './map.ts';
import { Tracks } from './tracks.ts';

/** Findings that the page shows. */
const maxFindings = 200;

/** A recording as its tracks, what `info` prints of it, and where its bytes go. */
export async function reportRecording(opened: OpenedRecording, context: ReportContext): Promise<Report> {
  const { options, extraItems, budget, io } = context;
  const { client, ticks } = options;
  const replay = openReplay(opened, options, { extraItems, parts: true });
  const stats = new RecordingStats(replay, { client, range: ticks });
  const summary = new RecordingSummary(replay);
  const tracks = new Tracks(budget);
  const reportMap = new ReportMap();
  const { bytes, failure } = await readRecords(opened, replay, (entry) => {
    if (!isOfClient(entry.stream, client)) return;
    summary.add(entry);
    stats.add(entry);
    tracks.add(entry);
    reportMap.add(entry);
  });
  if (failure) throw failure;
  stats.finish(bytes);
  requireClient(opened.name, client, replay.streams);
  if (tracks.all.length === 0) throw budget.nothing(tracks.first, tracks.last);
  const map = await reportMap.read(options.map, io);
  const { state } = summary.health;
  const facts = infoRows(summary, plainTheme).map(factOf);
  return {
    reportData: {
      name: nameOf(opened.name),
      kind: kindText({ file: opened.name, bytes, summary }),
      health: healthText(summary, plainTheme),
      tone: toneOf(state),
      facts: [...facts.filter(({ text }) => text !== ''), ...ticksFact(ticks)],
      findings: [...tracks.findings, ...reportMap.diagnostics.map((text) => ({ text, details: [] }))].slice(
        0,
        maxFindings,
      ),
      sizes: sizeBreakdown(stats.tally),
      extraItems,
      map,
      tracks: tracks.build((client) => summary.streams.find(({ stream }) => stream.client === client)?.player),
    },
    status: healthStatus[state],
  };
}

function toneOf(state: Health['state']): Tone {
  if (state === 'healthy') return 'good';
  return state === 'cut' ? 'warning' : 'bad';
}

/** Which ticks are shown, where not all are. */
function ticksFact(ticks: TickRange | undefined): Fact[] {
  if (!ticks) return [];
  const to = ticks.to === Infinity ? 'the last' : String(ticks.to);
  return [{ label: 'shown', text: `only the ticks from ${ticks.from} to ${to}` }];
}

/** A row of `info` as a fact. A number at its beginning is a total of the rest. */
function factOf([label, first = '', ...parts]: InfoRow): Fact {
  const more = parts.filter((part) => part !== '').join(' ');
  const isTotal = more !== '' && /^\d{1,3}(?:,\d{3})* *$/.test(first);
  return { label, text: [isTotal ? `${first.trim()}:` : first.trim(), more].filter(Boolean).join(' ') };
}
