import { type Explanation, failuresOf, itemsOf } from '../explain/explanation.ts';
import type { StreamFinding } from '../explain/health.ts';
import { DemoCheck, RecordingExplainer } from '../explain/recording-explainer.ts';
import type { RecordingEntry } from '../recording/record.ts';
import type { Track } from '../recording/track.ts';
import { demoTexts, explanationText, findingPlace, findingText, whereLines } from '../view/explain/explanation-text.ts';
import type { Finding } from './report-data.ts';

/** The maximum number of causes that the page shows. */
const maxCauses = 50;

/** Finds the causes of the failures of a whole recording, as `explain` does. */
export class Causes {
  readonly #explainer = new RecordingExplainer();
  readonly #demo = new DemoCheck();

  add(entry: RecordingEntry): void {
    this.#explainer.add(entry);
    this.#demo.add(entry);
  }

  /** @param tracks the tracks of the page, in which each cause has its first failure */
  findings(tracks: readonly Track[]): Finding[] {
    const faults = this.#demo.finish();
    const all = [
      ...this.#explainer.explain().map((one) => explanationFinding(one, tracks)),
      ...(faults ? demoTexts(faults) : []).map((text) => ({ text: text.title, details: detailsOf(text) })),
      ...this.#explainer.findings.map((one) => streamFinding(one, tracks)),
    ];
    return all.slice(0, maxCauses);
  }
}

function explanationFinding(explanation: Explanation, tracks: readonly Track[]): Finding {
  const { verdict, runs } = explanation;
  const { title, evidence, ...text } = explanationText(explanation);
  const [first] = failuresOf(explanation);
  const [item] = verdict ? itemsOf(explanation, verdict) : [];
  return {
    text: title,
    ...placeOf(tracks, runs[0]?.stream?.client ?? '', first?.tick),
    item: item && `${item.name ?? `type ${item.type}`}/${item.id}`,
    details: [...whereLines(explanation), `evidence: ${evidence}`, ...detailsOf(text)],
  };
}

function streamFinding(finding: StreamFinding, tracks: readonly Track[]): Finding {
  const { title, ...text } = findingText(finding);
  return {
    text: title,
    ...placeOf(tracks, finding.stream.client, finding.firstTick),
    details: [findingPlace(finding), ...detailsOf(text)],
  };
}

const detailsOf = ({ meaning, whereToLook }: { meaning: string; whereToLook: string }) =>
  [meaning && `meaning: ${meaning}`, whereToLook && `look for: ${whereToLook}`].filter(Boolean);

/** The track of a client that has a tick: a client has several if its ticks restart. */
function placeOf(tracks: readonly Track[], client: string, tick: number | undefined): Pick<Finding, 'track' | 'tick'> {
  const ofClient = tracks.filter(({ name }) => name.replace(/ \(\d+\)$/, '') === client);
  const track = ofClient.find(({ snapshots }) => snapshots.some((one) => one.tick === tick));
  return track ? { track: track.name, tick } : {};
}
