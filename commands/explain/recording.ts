import { DemoCheck, RecordingExplainer } from '../../src/explain/recording-explainer.ts';
import { isConnection, isOfClient, type RecordingEntry } from '../../src/recording/record.ts';
import { explainedCheck } from '../../src/view/explain/explained-check.ts';
import { type Explained, renderExplained } from '../../src/view/explain/explanations.ts';
import { explainedJson } from '../../src/view/json/explain-json.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { shellWord } from '../../src/view/text/shell-word.ts';
import { exit } from '../lib/errors.ts';
import { diagnosticStatus, verdictStatus } from '../lib/health-status.ts';
import type { Input } from '../lib/input/input.ts';
import { type Opened, openReplay } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';
import { refuseIneffective } from '../lib/input/refuse.ts';
import { printProblem } from '../lib/note.ts';
import type { OutputStyle } from '../lib/output/output.ts';
import type { ExplainOptions, Outcome } from './context.ts';
import { writeReproduction } from './reproduction.ts';

/** Explains the failures of a capture and the faults of a demo. */
export async function explainRecording(
  opened: Opened,
  options: ExplainOptions,
  input: Input,
  style: OutputStyle,
): Promise<Outcome> {
  const { name, path } = opened;
  const { client, strict, io } = input;
  const explainer = new RecordingExplainer();
  const notes: string[] = [];
  let status: number = exit.fine;
  const add = (entry: RecordingEntry) => {
    check?.add(entry);
    if (!isOfClient(entry.stream, client)) return;
    explainer.add(entry);
    if (entry.record === 'snapshot') status = Math.max(status, verdictStatus(entry.verdict));
    // A connection counts its unreadable packets itself.
    if (entry.record !== 'diagnostic' || entry.direction) return;
    const { diagnostic } = entry;
    const own = diagnosticStatus(diagnostic, strict);
    status = Math.max(status, own);
    if (own > exit.fine) notes.push(`${escapeText(name)}: ${diagnosticLine(diagnostic)}`);
  };
  const check = opened.format?.hasTicks ? new DemoCheck() : undefined;
  const replay = openReplay(opened, input, { parts: check !== undefined });
  const { failure } = await readRecords(opened, replay, add);
  if (!failure) refuseIneffective(name, input, replay);
  const connections = replay.streams.filter(isConnection);
  for (const connection of connections) {
    const { client: own, undecodable } = connection;
    if (undecodable === 0 || !isOfClient(connection, client)) continue;
    notes.push(`${escapeText(name)}: ${count(undecodable, 'packet')} of ${own} can't be read to the end`);
    status = exit.unreadable;
  }
  if (replay.datagrams && replay.datagrams.dropped.undecodable > 0) status = exit.unreadable;
  const again = path === '-' ? undefined : shellWord(path);
  const explained: Explained = {
    file: name,
    again,
    ...explainer.counts,
    explanations: explainer.explain(),
    findings: explainer.findings,
    demo: check?.finish(),
  };
  for (const note of notes) await printProblem(note, io);
  if (failure) {
    await printProblem(failure.message, io);
    status = Math.max(status, failure.status);
  }
  if (options.output !== undefined) await writeReproduction(explained, options.output, io);
  const isWrong = explained.failures > 0 || explained.findings.length > 0 || explained.demo !== undefined;
  return {
    status: Math.max(status, isWrong ? exit.finding : exit.fine),
    text: style.fit(renderExplained(explained, style)),
    json: explainedJson(explained),
    check: explainedCheck(explained),
  };
}
