import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeTypes } from '../../scripts/build/types.mjs';
import { modules, root } from '../support/library-examples.ts';

/*
 * The contract of the library is a committed file: the names and signatures of what the stable modules export. To
 * change one is to change the other (UPDATE_TRANSCRIPTS=1 writes the file).
 */

const committed = join(import.meta.dirname, 'contract.api.md');
const folder = mkdtempSync(join(tmpdir(), 'tw-snap-contract-'));
let report = '';

beforeAll(() => {
  writeTypes(join(folder, 'library'));
  report = reportOf();
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** The report of API Extractor of one module that has the stable ones as namespaces. */
function reportOf(): string {
  const stable = [...modules].filter(([module]) => module !== 'tw-snap/unstable');
  const names = stable.map(([module]) => module.replace('tw-snap/', '').replace('-', '_'));
  const imports = stable.map(([, source], i) => {
    const types = source.replace(/^src/, './library').replace(/\.ts$/, '.js');
    return `import * as ${names[i]} from '${types}';\n`;
  });
  writeFileSync(join(folder, 'contract.d.ts'), `${imports.join('')}export { ${names.join(', ')} };\n`);
  writeFileSync(join(folder, 'package.json'), '{ "name": "tw-snap", "type": "module" }');
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const { target, lib, module, moduleResolution, strict } = compilerOptions;
  const silent = { default: { logLevel: ExtractorLogLevel.None } };
  const configObject = {
    projectFolder: folder,
    mainEntryPointFilePath: join(folder, 'contract.d.ts'),
    compiler: {
      overrideTsconfig: {
        compilerOptions: {
          ...{ target, lib: [...lib, 'dom'], module, moduleResolution, strict },
          ...{ skipLibCheck: true, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
        },
        files: ['contract.d.ts'],
      },
    },
    apiReport: {
      enabled: true,
      reportFolder: folder,
      reportTempFolder: folder,
      reportFileName: 'contract.api.md',
      reportVariants: ['complete' as const],
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
      extractorMessageReporting: {
        ...silent,
        'ae-forgotten-export': { logLevel: ExtractorLogLevel.Warning, addToApiReportFile: true },
      },
      tsdocMessageReporting: silent,
    },
  };
  const packageJsonFullPath = join(folder, 'package.json');
  Extractor.invoke(ExtractorConfig.prepare({ configObject, configObjectFullPath: undefined, packageJsonFullPath }), {
    localBuild: true,
    messageCallback: (message) => {
      if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
    },
  });
  return readFileSync(join(folder, 'contract.api.md'), 'utf8').replaceAll('\r\n', '\n');
}

it('the committed contract is that of the sources', () => {
  if (process.env.UPDATE_TRANSCRIPTS) writeFileSync(committed, report);
  expect(report).toBe(readFileSync(committed, 'utf8'));
});

/**
 * What is told elsewhere: the tables of the games (docs/formats), the keys of JSON (docs/schemas), and what is only
 * passed on to the functions of tw-snap/unstable.
 */
const toldElsewhere = new Set([
  ...['items05', 'items06', 'items07', 'extendedItems'],
  ...['messages05', 'messages06', 'messages07', 'extendedMessages', 'introductions', 'emoticon'],
  ...['captureValues', 'datagramFields', 'demoValues', 'ghostValues', 'explainValues', 'logValues'],
  ...['Diagnostics', 'EncodingLayers'],
]);

it('every type in a signature has a name in a stable module', () => {
  const forgotten = [...report.matchAll(/\(ae-forgotten-export\) The symbol "(\w+)"/g)].map(([, name]) => name!);
  expect(forgotten.filter((name) => !toldElsewhere.has(name))).toEqual([]);
});
