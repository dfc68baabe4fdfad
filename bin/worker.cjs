// What a worker thread runs (commands/lib/platform/pool.ts).
require('./compile-cache.cjs');
require('../dist/cli/cli.cjs').work();
