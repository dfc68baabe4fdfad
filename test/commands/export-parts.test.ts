import { expect, it } from 'vitest';
import { PartWriter } from '../../commands/export/output.ts';
import { Batch } from '../../src/output/tables/batch.ts';
import { fakeIo } from '../support/fake-io.ts';

it('the parts of a long table have its rows in the order of their names', async () => {
  const columns = [{ name: 'row', kind: 'int', isNullable: false }] as const;
  const io = fakeIo({});
  const writer = new PartWriter('out', 'part', 'ndjson', io);
  // A part has 256 batches.
  const rows = Array.from({ length: 11 * 256 }, (_, row) => row);
  for (const row of rows) {
    const batch = new Batch({ name: 'table', about: 'each row', columns });
    batch.columns[0]!.set(batch.addRows(1), row);
    await writer.write(batch);
  }
  await writer.finish();
  expect(writer.paths).toHaveLength(11);
  const text = [...writer.paths].sort().map((path) => new TextDecoder().decode(io.files.get(`out/${path}`)));
  expect(text.join('').trim().split('\n')).toEqual(rows.map((row) => JSON.stringify({ row })));
});
