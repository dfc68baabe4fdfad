// What a worker thread runs (commands/lib/parallel/thread-pool.ts).
require('./compile-cache.cjs');
require('../dist/cli/cli.cjs').work();
