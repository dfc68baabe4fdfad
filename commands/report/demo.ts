import { DemoSummary } from '../../src/recording/demo-summary.ts';
import { TrackBuilder } from '../../src/recording/track-builder.ts';
import { sizeBreakdown } from '../../src/report/size-breakdown.ts';
import { RecordingStats } from '../../src/stats/recording-stats.ts';
import { demoKind, demoRows, health } from '../../src/view/info/info.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { plainTheme } from '../../src/view/text/theme.ts';
import { exit } from '../lib/errors.ts';
import { readRecords } from '../lib/input/read-records.ts';
import { factOf, type Gathered, maxDiagnostics, nameOf, type Reporting, shownFact } from './gathered.ts';

/** What a report tells of a demo: one track, and what `info` says. */
export async function gatherDemo({ opened, options, added, budget }: Reporting): Promise<Gathered> {
  const demo = new DemoSummary();
  let track: TrackBuilder | undefined;
  let last: number | undefined;
  const replay = opened.format!.open({ extraItems: added, parts: true });
  const stats = new RecordingStats(replay, { range: options.ticks });
  const { bytes, failure } = await readRecords(opened, replay, (record) => {
    demo.add(record);
    stats.add(record);
    if (record.record === 'header') {
      track = new TrackBuilder('', record.stream.protocol);
      track.markers = record.header.markers;
    }
    if (!track || !('tick' in record) || !budget.has(record.tick)) return;
    if (record.record === 'snapshot') {
      const { tick, payloadKind: kind, encoding, offset, uncertain, before } = record;
      const payload = record.payload!;
      const base = kind === 'delta' ? last : undefined;
      last = track.add({ tick, kind, encoding, payload, offset, uncertain, base, before });
      budget.reach(record.tick, track.bytes);
    } else if (record.record === 'message') track.addMessage(record.tick, record.bytes);
  });
  if (failure) throw failure;
  demo.finish();
  stats.finish(bytes);
  if (!track || last === undefined) throw budget.nothing(demo.firstTick, demo.lastTick);
  const { state } = demo.health;
  return {
    reportData: {
      name: nameOf(opened.name),
      kind: demoKind(demo, bytes),
      health: health(demo, plainTheme),
      tone: state === 'healthy' ? 'good' : state === 'cut' ? 'odd' : 'bad',
      facts: [...demoRows(demo, plainTheme).map(factOf), ...shownFact(options.ticks)],
      diagnostics: demo.diagnostics.slice(0, maxDiagnostics).map(diagnosticLine),
      weights: sizeBreakdown(stats.tally),
      added,
      tracks: [track.build()],
    },
    status: state === 'healthy' ? exit.fine : exit.unreadable,
  };
}
