import { DemoCheck, RecordingExplainer } from '../../src/explain/recording-explainer.ts';
import { isConnection, isOfClient, type RecordingEntry } from '../../src/recording/record.ts';
import type { Explained } from '../../src/view/explain/explanations.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText, shellWord } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { diagnosticStatus, exit, verdictStatus } from '../lib/errors.ts';
import type { Opened } from '../lib/input/open.ts';
import { printProblem } from '../lib/note.ts';
import type { Run } from '../lib/run/files.ts';
import { readRecording } from '../lib/run/recording.ts';
import { type ExplainOptions, type Outcome, outcomeOf } from './outcome.ts';

/** Explains the failures of a capture and the faults of a demo. */
export async function explainRecording(opened: Opened, run: Run<ExplainOptions>): Promise<Outcome> {
  const { input, io } = run;
  const { path } = opened;
  const name = escapeText(opened.name);
  const explainer = new RecordingExplainer();
  const check = opened.format?.hasTicks ? new DemoCheck() : undefined;
  const notes: string[] = [];
  let status: number = exit.fine;
  const add = (entry: RecordingEntry) => {
    check?.add(entry);
    explainer.add(entry);
    if (entry.record === 'snapshot') status = Math.max(status, verdictStatus(entry.verdict));
    // A connection counts its unreadable packets itself.
    if (entry.record !== 'diagnostic' || entry.direction) return;
    const { diagnostic } = entry;
    const own = diagnosticStatus(diagnostic, input.strict);
    status = Math.max(status, own);
    if (own > exit.fine) notes.push(`${name}: ${diagnosticLine(diagnostic)}`);
  };
  const wanted = { parts: check !== undefined };
  const { replay, failure } = await readRecording(opened, input, wanted, () => ({ add }));
  for (const connection of replay.streams.filter(isConnection)) {
    const { client, undecodable } = connection;
    if (undecodable === 0 || !isOfClient(connection, input.client)) continue;
    notes.push(`${name}: ${count(undecodable, 'packet')} of ${client} can't be read to the end`);
    status = exit.unreadable;
  }
  if (replay.datagrams && replay.datagrams.dropped.undecodable > 0) status = exit.unreadable;
  const explained: Explained = {
    file: opened.name,
    again: path === '-' ? undefined : shellWord(path),
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
  const isWrong = explained.failures > 0 || explained.findings.length > 0 || explained.demo !== undefined;
  return outcomeOf(explained, Math.max(status, isWrong ? exit.finding : exit.fine), run);
}
