#!/usr/bin/env node
require('./optimize-later.cjs');
require('./compile-cache.cjs');
require('../dist/cli/cli.cjs').run();
