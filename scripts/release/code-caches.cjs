// code-caches.cjs FOLDER FILE...: runs some commands with the files of the command line that binaries.mjs prepared, and
// writes what V8 has compiled meanwhile as FILE.cache. Run by the Node of the executable: another one would refuse it.
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { Script } = require('node:vm');

const [folder, ...files] = process.argv.slice(2);
const loaded = new Map();

function load(name) {
  if (!loaded.has(name)) {
    const module = { exports: {} };
    const script = new Script(readFileSync(join(folder, name), 'utf8'), { filename: name });
    loaded.set(name, { script, module });
    const own = (wanted) => (wanted.startsWith('./') ? load(wanted.slice(2)) : require(wanted));
    script.runInThisContext()(own, module, module.exports, () => '');
  }
  return loaded.get(name).module.exports;
}

async function runCommand(...args) {
  process.argv = [process.argv[0], 'tw-snap', ...args];
  await load('cli.cjs').run();
}

const keep = (name) => writeFileSync(join(folder, `${name}.cache`), loaded.get(name).script.createCachedData());

async function main() {
  // What every start needs is compiled by the first command alone: more would be read at each start.
  await runCommand('decode', 'samples/first.huff');
  keep('cli.cjs');
  await runCommand('decode', 'samples/first.hex');
  for (const name of ['info', 'checksum', 'dump', 'stats'])
    await runCommand(name, 'samples/vanilla-dm1.demo', '--color');
  await runCommand('info', 'samples/ddnet-ipv6.pcap');
  for (const name of files) {
    load(name);
    if (name !== 'cli.cjs') keep(name);
  }
}

main();
