import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import type { Protocol, Version } from '../../../src/wire/protocol/registry.ts';
import type { ServerSnapshot } from './game-delta.ts';

/** A snapshot of a recording. */
interface ScenarioStep {
  readonly tick: number;
  readonly items: ServerSnapshot;
}

/** Real snapshots in their order, as a server would send them. */
export interface Scenario {
  readonly name: string;
  readonly version: Version;
  readonly protocol: Protocol;
  readonly steps: readonly ScenarioStep[];
}

/** All snapshots of a demo. */
export function scenarioOf(name: string, demo: Uint8Array): Scenario {
  const replay = new DemoReplay({ ticks: false });
  const steps: ScenarioStep[] = [];
  const addAll = (records: ReturnType<DemoReplay['feed']>) => {
    for (const record of records) {
      if (record.record !== 'snapshot' || !record.snapshot) continue;
      const items = [...record.snapshot].map(({ type, id, data }) => ({ type, id, data: data.slice() }));
      steps.push({ tick: record.tick, items });
    }
  };
  addAll(replay.feed(demo));
  addAll(replay.finish());
  const { protocol } = replay;
  if (protocol.version === '0.5') throw new Error(`${name}: no demo of 0.5 is known`);
  return { name, version: protocol.version, protocol, steps };
}

/** A part of a scenario. */
export function excerpt(scenario: Scenario, start: number, length: number): Scenario {
  return { ...scenario, steps: scenario.steps.slice(start, start + length) };
}
