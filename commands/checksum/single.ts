import { diagnosticLine } from '../../src/output/phrases/diagnostic-messages.ts';
import { escapeText } from '../../src/output/text/escape.ts';
import { count } from '../../src/output/text/number.ts';
import { finding } from '../../src/recording/health/findings.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { loadOpened, readStatedBase } from '../lib/input/bases.ts';
import type { Opened } from '../lib/input/inputs.ts';
import { withUncertainty } from '../lib/input/load.ts';
import { exit, inputError } from '../lib/options/errors.ts';
import { type ChecksumFile, type Outcome, printChecksum } from './output.ts';

export async function checksumSnapshot(file: string, opened: Opened, output: ChecksumFile): Promise<Outcome> {
  const base = await readStatedBase(output.options.base, output.input);
  const loaded = await loadOpened(opened, { ...output.input, base });
  const name = escapeText(loaded.name);
  const { kind, body, result: applied, diagnostics } = loaded.payload;
  if (diagnostics.error) throw inputError(`${name}: ${diagnosticLine(diagnostics.error)}`);
  if (kind === 'delta' && !applied) throw inputError(`${name}: this is a delta; its checksum needs the base (--base)`);
  const snapshot = applied ?? (body as Snapshot);
  const sum = { kind, items: snapshot.count, crc: snapshot.checksum() };
  await printChecksum(file, sum, output);
  const uncertain = withUncertainty(exit.fine, loaded, base);
  if (uncertain > exit.fine)
    output.findings.add(finding('uncertain_reading', uncertain === exit.finding ? 'wrong' : 'unread'));
  const result = `checksum ${sum.crc}, ${count(sum.items, 'item')}`;
  // Its line was printed with the checksum.
  if (!output.options.summary)
    return { result, name: file, counts: sum, ...(output.options.to !== 'markdown' && { text: '' }) };
  const deltas = Number(kind === 'delta');
  return { result, name: file, counts: { snapshots: 1, full: 1 - deltas, deltas } };
}
