#!/usr/bin/env node
const { enableCompileCache } = require('node:module');
if (enableCompileCache) enableCompileCache();
else require('./code-cache.cjs');
require('../dist/cli/cli.cjs');
