import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { apply, decode } from '../../src/api/index.ts';
import { execFileSync } from '../support/host.ts';
import {
  bundlePrograms,
  examplesOfDocs,
  examplesOfExports,
  exportedNames,
  modules,
  root,
} from '../support/library-examples.ts';

const exported = exportedNames();
const examples = [...examplesOfExports(), ...examplesOfDocs()];
const sample = (name: string) => new Uint8Array(readFileSync(join(root, 'samples', name)));

/** Names that examples may use without declaring them. */
const ambient = `import type { Snapshot } from 'tw-snap';
declare global {
  const bytes: Uint8Array<ArrayBuffer>;
  const old: Snapshot;
  const now: Snapshot;
}`;

describe('examples of doc blocks, README and docs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tw-snap-examples-'));
  const pathOf = (i: number) => join(folder, 'examples', `${i}.ts`);

  beforeAll(() => {
    mkdirSync(join(folder, 'examples'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, 'ambient.ts'), ambient);
    for (const [i, { code }] of examples.entries()) writeFileSync(pathOf(i), `${code}\nexport {};\n`);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are found', () => {
    expect(exported.length).toBeGreaterThan(100);
    expect(examples.length).toBeGreaterThan(
      exported.filter(({ module, isType }) => module === 'tw-snap' && !isType).length,
    );
  });

  it('have no type errors', () => {
    const paths = Object.fromEntries([...modules].map(([module, source]) => [module, [join(root, source)]]));
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
    const options = { ...compilerOptions, noUnusedLocals: false, paths };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, include: ['examples', 'ambient.ts'] }),
    );
    expect(typeErrors(join(folder, 'tsconfig.json')).map(named)).toEqual([]);
  });

  /** `…/examples/12.ts(3,1): error` with the name of the example in place of its number. */
  const named = (line: string) => line.replace(/^.*?examples\/(\d+)\.ts/, (_, i) => examples[Number(i)]!.where);

  it('run without an error', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    try {
      const outdir = join(folder, 'built');
      await bundlePrograms(
        examples.map((_, i) => pathOf(i)),
        outdir,
      );
      // What an example writes into the temporary folder of the system is gone with the folder of this test.
      for (const name of ['TMPDIR', 'TMP', 'TEMP']) vi.stubEnv(name, folder);
      const failed: string[] = [];
      for (const [i, { where, code }] of examples.entries()) {
        Object.assign(globalThis, ambientFor(code));
        try {
          await import(pathToFileURL(join(outdir, `${i}.mjs`)).href);
        } catch (error) {
          failed.push(`${where}: ${error}`);
        }
      }
      expect(failed).toEqual([]);
    } finally {
      log.mockRestore();
      warn.mockRestore();
      vi.unstubAllEnvs();
      for (const name of Object.keys(ambientFor(''))) delete (globalThis as Record<string, unknown>)[name];
    }
  });
});

function typeErrors(project: string): string[] {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', project], {
      cwd: root,
    });
    return [];
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout)
      .trim()
      .split('\n');
  }
}

/** The bytes for an example, chosen by the names that it mentions. */
function ambientFor(code: string) {
  const base = decode(sample('ddnet-race-tick956.snapshot.huff'));
  const next = decode(sample('ddnet-race-tick958.delta.packed'));
  if (base.kind !== 'snapshot' || next.kind !== 'delta') throw new Error('the samples are a snapshot and a delta');
  const [old, now] = [base.snapshot, apply(base.snapshot, next.delta)];
  const files: readonly (readonly [RegExp, string])[] = [
    [/ClientDemo/, 'ddnet-ipv6.pcap'],
    [/explain\(/, 'duplicate-key.pcap'],
    [/\bread\(|eventsOf\(|summaryOf\(|readDemo|Demo|statsOf|recordsOf|formatOf|RecordingSummary/, 'vanilla-dm1.demo'],
    [/[cC]apture/, 'ddnet-ipv6.pcap'],
    [/readPacket/, 'ddnet-loss-tick2434.packet'],
    [/'packet'/, 'vanilla-dm1-tick9892.packet'],
    [/'snapshot'/, 'ddnet-race-tick956.snapshot.huff'],
    [/decompress/, 'first.huff'],
    [/encoding: 'packed'/, 'first.packed'],
    [/'delta'/, 'ddnet-race-tick958.delta.packed'],
  ];
  const name = files.find(([pattern]) => pattern.test(code))?.[1] ?? 'first.huff';
  return { bytes: /kind: 'message'/.test(code) ? Uint8Array.of(0x1f) : sample(name), old, now };
}
