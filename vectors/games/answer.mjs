// Lets the games answer: compiles the functions of DDNet and Teeworlds that read network data, asks them every vector,
// and keeps the answers in this folder. Run after new vectors and, with another `commit`, at a release of a game; it
// takes a minute. A release of ours runs it, too: nothing may be another.
//
//   node vectors/games/answer.mjs DDNET TEEWORLDS      repositories of both, with their history
//
// Needs git, a C++ compiler and Python 3. No line of the games stays here.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { ask, questionOf, readVectors } from '../check.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Identifies a question whatever the number of its vector is. */
export function digestOf(vector) {
  const { id, ...question } = questionOf(vector);
  return createHash('sha256').update(JSON.stringify(question)).digest('hex').slice(0, 12);
}

/**
 * The parts of the games. `generated` files are printed by the games' own scripts; `cut` are functions of files that
 * need more than we have.
 */
const games = {
  ddnet: {
    commit: '28baa427',
    folders: ['src/base', 'src/engine', 'src/game', 'datasrc'],
    adapter: 'ddnet.cpp',
    flags: ['-std=c++20'],
    generated: {
      'protocol.h': ['datasrc/compile.py', 'network_header'],
      'protocol.cpp': ['datasrc/compile.py', 'network_source'],
      'protocol7.h': ['-m', 'datasrc.seven.compile', 'network_header'],
      'protocol7.cpp': ['-m', 'datasrc.seven.compile', 'network_source'],
      'protocolglue.h': ['datasrc/crosscompile.py', 'map_header'],
      'protocolglue_generated.cpp': ['datasrc/crosscompile.py', 'map_source'],
    },
    cut: ['src/game/gamecore.cpp', /^bool IntsToStr[\s\S]*?^}/m],
    sources: [
      ...[
        'compression',
        'huffman',
        'packer',
        'network',
        'network_conn',
        'ringbuffer',
        'snapshot',
        'demo',
        'protocol_ex',
        'protocolglue',
      ],
      ...['uuid_manager', 'global_uuid_manager', 'teehistorian_ex'],
    ]
      .map((name) => `src/engine/shared/${name}.cpp`)
      .concat(['str', 'mem', 'bytes', 'hash_bundled'].map((name) => `src/base/${name}.cpp`))
      .concat(['protocol', 'protocol7', 'protocolglue_generated'].map((name) => `src/generated/${name}.cpp`))
      .concat(['src/game/mapitems_ex.cpp', 'src/engine/external/md5/md5.c']),
  },
  'teeworlds-0.7.5': {
    commit: '0.7.5',
    folders: ['src', 'datasrc'],
    adapter: 'teeworlds.cpp',
    flags: ['-std=c++17'],
    // The adapter has functions in their place: the question is received, and time passes as it says.
    renamed: ['net_udp_recv', 'net_udp_send', 'time_get', 'time_freq'].map((name) => `-D${name}=${name}_of_system`),
    generated: {
      'protocol.h': ['datasrc/compile.py', 'network_header'],
      'protocol.cpp': ['datasrc/compile.py', 'network_source'],
    },
    cut: ['src/game/gamecore.h', /^inline void IntsToStr[\s\S]*?^}/m],
    sources: ['compression', 'huffman', 'packer', 'network', 'network_conn', 'ringbuffer', 'snapshot']
      .map((name) => `src/engine/shared/${name}.cpp`)
      .concat(['src/generated/protocol.cpp', 'src/base/system.c']),
  },
  'teeworlds-0.6.5': {
    commit: '0.6.5-release',
    folders: ['src'],
    adapter: 'teeworlds.cpp',
    flags: ['-std=c++17', '-DTEEWORLDS_06'],
    generated: {},
    cut: ['src/game/gamecore.h', /^inline void IntsToStr[\s\S]*?^}/m],
    sources: ['compression', 'huffman', 'packer', 'network', 'snapshot']
      .map((name) => `src/engine/shared/${name}.cpp`)
      .concat(['src/base/system.c']),
  },
};

/** @returns the path of the program */
function compile(repository, at, game) {
  const { commit, folders, adapter, flags, renamed = [], generated, cut, sources } = game;
  const run = (program, args, options = {}) =>
    execFileSync(program, args, { cwd: at, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28, ...options });
  mkdirSync(at, { recursive: true });
  run('tar', ['x'], {
    stdio: ['pipe', 'inherit', 'inherit'],
    input: execFileSync('git', ['-C', repository, 'archive', commit, ...folders], {
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  });
  mkdirSync(join(at, 'src/generated'), { recursive: true });
  for (const [file, args] of Object.entries(generated))
    writeFileSync(join(at, 'src/generated', file), run('python3', args));
  const [whole, part] = cut;
  writeFileSync(join(at, 'src/texts.inc'), readFileSync(join(at, whole), 'utf8').match(part)[0]);
  // The games' classes are opened for the adapter, which calls their parts; what a part does not need is left out.
  const common = ['-O1', '-w', '-ffunction-sections', '-Isrc', '-Isrc/engine/external', `-I${folder}`, '-c'];
  const objects = [...sources, join(folder, adapter)].map((source) => {
    const object = `${basename(source).replace(/\W/g, '-')}.o`;
    const isC = source.endsWith('.c');
    run(isC ? 'cc' : 'c++', [...(isC ? renamed : [...flags, '-fno-access-control']), ...common, source, '-o', object]);
    return object;
  });
  run('c++', ['-Wl,--gc-sections', ...objects, '-lpthread', '-o', 'decoder']);
  return join(at, 'decoder');
}

const headOf = (repository, commit) =>
  execFileSync('git', ['-C', repository, 'log', '-1', '--format=%H %cs', commit], { encoding: 'utf8' }).trim();

async function main([ddnet, teeworlds]) {
  if (!teeworlds) {
    process.stderr.write('usage: node answer.mjs DDNET TEEWORLDS\n');
    process.exit(2);
  }
  const vectors = readVectors();
  const temporary = mkdtempSync(join(tmpdir(), 'games-'));
  try {
    for (const [name, game] of Object.entries(games)) {
      const repository = name === 'ddnet' ? ddnet : teeworlds;
      const program = compile(repository, join(temporary, name), game);
      const answers = await ask([program], vectors, { tsv: true });
      const lines = vectors.flatMap((vector) => {
        const { id, ...answer } = answers.get(vector.id) ?? { skip: true };
        return answer.skip ? [] : [JSON.stringify({ question: digestOf(vector), ...answer })];
      });
      const [commit, date] = headOf(repository, game.commit).split(' ');
      const head = JSON.stringify({ game: name, commit, date });
      writeFileSync(join(folder, `${name}.jsonl`), `${[head, ...lines].join('\n')}\n`);
      console.log(`${name}: ${lines.length} of ${vectors.length} answered`);
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
