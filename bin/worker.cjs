// What a worker thread runs (commands/lib/parallel/thread-pool.ts).
require('../dist/cli/cli.cjs').work();
