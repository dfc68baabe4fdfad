import type { LocatedDiagnostic } from '../../src/decode/findings.ts';
import type { ItemType } from '../../src/protocol/item.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { exit } from '../lib/errors.ts';
import type { FilterOptions, ItemFilter } from '../lib/filter.ts';
import type { Io } from '../lib/io.ts';
import type { InputOptions, OutputOptions, Ticks } from '../lib/options.ts';
import type { Stream } from '../lib/output/stream.ts';
import type { ManyOptions } from '../lib/parallel/many-files.ts';

export type DumpOptions = InputOptions &
  OutputOptions &
  FilterOptions &
  ManyOptions & { changes?: boolean; ticks?: Ticks; messages: boolean };

/** What a dump is made with. */
export interface DumpContext {
  readonly options: DumpOptions;
  readonly added: readonly ItemType[];
  readonly wanted: ItemFilter;
  readonly stream: Stream;
  readonly io: Io;
}

/** Says a finding where the dump may not be seen; gives the exit status. */
export async function reportDiagnostic(
  name: string,
  finding: LocatedDiagnostic,
  { options, io }: DumpContext,
): Promise<number> {
  if (options.to !== 'text' || !io.stdout.isTerminal) {
    await io.stderr.write(`tw-snap: ${escapeText(name)}: ${diagnosticLine(finding)}\n`);
  }
  if (finding.severity === 'error') return exit.unreadable;
  return options.strict ? exit.finding : exit.fine;
}
