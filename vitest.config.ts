import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { nativeSources } from './test/support/native-sources.ts';

const define = { VERSION: JSON.stringify('0.0.0-test'), COMMIT: JSON.stringify('') };
// Coverage counts what Vite loads, and `vitest` without `run` watches it.
const isNative = process.argv.includes('run') && !process.argv.includes('--coverage');

export default defineConfig({
  define,
  plugins: isNative ? [nativeSources(import.meta.dirname, define)] : [],
  // The machines of CI are shared, and nothing here measures time: only what hangs takes as long as a time-out.
  test: {
    include: ['test/**/*.test.ts', 'scripts/**/*.test.ts'],
    // One context for all files of a worker: no test replaces a module, and loading the sources once saves a third of the time.
    isolate: false,
    server: { deps: { external: [/tw-snap-tests-/] } },
    // V8 of Node 20 optimises much that tests run for a moment only. With a budget of four times its own, tests of
    // commands and recordings take 9 and 22 % less computing (two pairs). Node 26 has no such option.
    execArgv: process.versions.node.startsWith('20.') ? ['--interrupt-budget=600000'] : [],
    // By default one core is left free.
    maxWorkers: '100%',
    setupFiles: ['./test/support/no-empty-lists.ts', './test/support/equal-lists.ts'],
    reporters: ['default', './test/support/skipped.ts'],
    // Texts have signs beyond ASCII, whatever the locale of the machine.
    env: { LC_ALL: 'C.UTF-8' },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 110_000 }, requireAssertions: true },
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      // The page runs in a browser, where its tests drive it.
      exclude: ['src/page/**'],
      reporter: ['text-summary', 'json', 'json-summary'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
