#!/usr/bin/env node
require('../dist/cli/cli.cjs').run();
