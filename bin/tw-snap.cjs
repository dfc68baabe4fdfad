#!/usr/bin/env node
require('./compile-cache.cjs');
require('../dist/cli/cli.cjs').run();
