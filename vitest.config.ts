import process from 'node:process';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { VERSION: JSON.stringify('0.0.0-test'), COMMIT: JSON.stringify('') },
  // Generous: the machines of CI are shared, and nothing here measures time.
  test: {
    include: ['test/**/*.test.ts', 'scripts/**/*.test.ts'],
    // One context for all files of a worker: no test replaces a module, and loading the sources once saves a third of the time.
    isolate: false,
    // Transformed sources are kept in node_modules: the next run of one file takes 3.3 s of computing for 6.0.
    experimental: { fsModuleCache: true },
    // V8 of Node 20 optimises much that tests run for a moment only. With a budget of four times its own, tests of
    // commands and recordings take 9 and 22 % less computing (two pairs). Node 26 has no such option.
    execArgv: process.versions.node.startsWith('20.') ? ['--interrupt-budget=600000'] : [],
    // By default one core is left free.
    maxWorkers: '100%',
    setupFiles: ['./test/support/no-empty-lists.ts', './test/support/equal-lists.ts'],
    reporters: ['default', './test/support/skipped.ts'],
    // Texts have signs beyond ASCII, whatever the locale of the machine.
    env: { LC_ALL: 'C.UTF-8' },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 }, requireAssertions: true },
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
