import type { Finding } from '../../src/decode/findings.ts';
import type { ItemType } from '../../src/protocol/item.ts';
import { fullSentence } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { exit } from '../lib/errors.ts';
import type { Wanted, WantedOptions } from '../lib/filter.ts';
import type { Io } from '../lib/io.ts';
import type { InputOptions, OutputOptions, Ticks } from '../lib/options.ts';
import type { Stream } from '../lib/output/stream.ts';
import type { ManyOptions } from '../lib/parallel/many-files.ts';

export type DumpOptions = InputOptions &
  OutputOptions &
  WantedOptions &
  ManyOptions & { changes?: boolean; ticks?: Ticks; messages: boolean };

/** What a dump is made with. */
export interface Dumping {
  readonly options: DumpOptions;
  readonly added: readonly ItemType[];
  readonly wanted: Wanted;
  readonly stream: Stream;
  readonly io: Io;
}

/** Says a finding where the dump may not be seen; gives the exit status. */
export async function sayFinding(name: string, finding: Finding, { options, io }: Dumping): Promise<number> {
  if (options.to !== 'text' || !io.stdout.isTerminal) {
    await io.stderr.write(`tw-snap: ${escapeText(name)}: ${fullSentence(finding)}\n`);
  }
  if (finding.severity === 'error') return exit.unreadable;
  return options.strict ? exit.finding : exit.fine;
}
