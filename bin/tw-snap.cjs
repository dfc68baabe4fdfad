#!/usr/bin/env node
require('node:module').enableCompileCache?.();
require('../dist/cli/cli.cjs');
