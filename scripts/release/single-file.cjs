// The main script of the single executable: loads the files of the command line, which are assets of the executable.
// The scripts are compiled from a cache that binaries.mjs made with the same Node; of another one it would be refused,
// and the start only be slower.
const { getRawAsset } = require('node:sea');
const { Script } = require('node:vm');

const modules = new Map();
const text = (name) => Buffer.from(getRawAsset(name)).toString();

function load(name) {
  const known = modules.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const cachedData = Buffer.from(getRawAsset(`${name}.cache`));
  const script = new Script(text(name), { cachedData, filename: name });
  const own = (wanted) => (wanted.startsWith('./') ? load(wanted.slice(2)) : require(wanted));
  script.runInThisContext()(own, module, module.exports, text);
  return module.exports;
}

load('cli.cjs').run();
