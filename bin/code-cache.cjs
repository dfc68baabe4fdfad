// What Node 22 does by itself (module.enableCompileCache), for Node 20: a bundle is loaded with what V8 made of it when it was built.
// It lies beside the bundle; where it is missing, or of another V8, the bundle is compiled as ever.
const { existsSync, readFileSync } = require('node:fs');
const { wrap } = require('node:module');
const { dirname } = require('node:path');
const { Script } = require('node:vm');

/** The scripts that were loaded, by file. */
exports.scripts = new Map();

require.extensions['.cjs'] = (module, filename) => {
  const cache = `${filename}.cache`;
  const script = new Script(wrap(readFileSync(filename, 'utf8')), {
    filename,
    cachedData: existsSync(cache) ? readFileSync(cache) : undefined,
  });
  exports.scripts.set(filename, script);
  const run = script.runInThisContext();
  run(module.exports, (id) => module.require(id), module, filename, dirname(filename));
};
