// What the commands are tried on: small files, lines that use them, and values of options. The test of the options
// (test/commands/options.slow.test.ts) and the net (net.mjs) run them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} name */
const read = (name) => new Uint8Array(readFileSync(join(import.meta.dirname, '../../samples', name)));

/** One map, twice, with a player that the other demo lacks; a capture; single payloads; lists. */
const demo = read('vanilla-dm1.demo');
/** @param {string} name */
const hex = (name) => Buffer.from(read(name)).toString('hex');
/** @type {Readonly<Record<string, Uint8Array | string>>} */
export const files = {
  'a.demo': demo,
  'b.demo': read('ddnet-race-player.demo'),
  'cut.demo': demo.slice(0, 20_000),
  'a.pcap': read('ddnet-ipv6.pcap'),
  'wrong.pcap': read('duplicate-key.pcap'),
  'first.huff': read('first.huff'),
  'first.packed': read('first.packed'),
  'base.snap': read('ddnet-race-tick956.snapshot.huff'),
  'next.delta': read('ddnet-race-tick958.delta.packed'),
  'odd.packed': Uint8Array.of(0x80, 0, 0, 0),
  // A snapshot whose first int takes a byte too many.
  'odd.snap': Uint8Array.of(0x80, 0, 0),
  'lossy.pcap': withoutPackets(read('ddnet-ipv6.pcap'), 300, 302),
  // A UDP header without its length, as network cards leave it: 24 bytes of the file's header, 16 of the record's, 60
  // before UDP.
  'odd.pcap': read('ddnet-ipv6.pcap').with(104, 0).with(105, 0),
  'hex.txt': hex('first.packed'),
  'two.txt': `<a> ${hex('vanilla-dm1-tick9892.packet')}\n<b> ${hex('ddnet-no-07-close.packet')}\n`,
  // The type of obj_character in 0.7 with one int less, so that all following data are misread.
  'mod.json': '{"items":[{"name":"my_item","type":10,"fields":{"all":{"list":21,"of":"int"}}}]}',
  'mod.py': 'Objects = [NetObjectEx("Boat", "boat@mod.example", [NetIntAny("m_X"), Unknown("m_Y")])]\n',
  // Less than any of the recordings takes.
  'budget.json': '{"tolerance":{"percent":1,"bytes":0},"bytes_per_second":1}',
  'odd.demo': demo.with(144, 0x78),
  'clients.pcap': Buffer.concat([read('duplicate-key.pcap'), read('vanilla-ctf-timeout.pcap').subarray(24)]),
  list: '5  first.huff\n',
  paths: 'b.demo\n',
  'all/a.demo': demo,
  'all/b.demo': read('ddnet-race-player.demo'),
  'dm1.map': 'DATA',
};

/**
 * A capture without the packets from one number up to another.
 * @param {Uint8Array} bytes
 * @param {number} from
 * @param {number} to
 */
function withoutPackets(bytes, from, to) {
  const kept = [bytes.subarray(0, 24)];
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 24, number = 1; at < bytes.length; number++) {
    const end = at + 16 + view.getUint32(at + 8, true);
    if (number < from || number >= to) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return new Uint8Array(Buffer.concat(kept));
}

/**
 * Command lines, without their command, on which every option of a command has to change something, or be refused.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const lines = {
  decode: [
    'clients.pcap',
    'clients.pcap@first',
    'first.huff',
    'odd.packed',
    'two.txt',
    'hex.txt',
    'next.delta',
    'wrong.pcap',
    'b.demo',
    'a.demo@9938',
    'a.pcap#8',
  ],
  diff: [
    'next.delta base.snap',
    'b.demo b.demo',
    'a.demo@9938 a.demo@10000',
    'base.snap b.demo@200',
    'odd.snap base.snap',
    'odd.snap empty -f packed -p 0.6',
    'wrong.pcap@first wrong.pcap@last',
    'hex.txt first.huff',
    'clients.pcap@first clients.pcap@last',
    'two.txt empty',
  ],
  apply: [
    'next.delta',
    'first.huff',
    'two.txt',
    'empty first.huff',
    'empty hex.txt',
    'base.snap next.delta',
    'empty odd.packed -f packed -p 0.6',
  ],
  checksum: [
    'a.pcap',
    'wrong.pcap',
    'a.demo',
    'first.huff --base empty',
    'base.snap',
    'next.delta',
    'list',
    'all',
    'hex.txt --base empty',
    'odd.packed --base empty',
    'a.demo --summary',
    'lossy.pcap',
    'clients.pcap',
    'two.txt --base empty',
  ],
  explain: [
    'clients.pcap',
    'base.snap next.delta',
    'wrong.pcap',
    'a.demo',
    'base.snap next.delta --expect 5',
    'hex.txt',
    'two.txt',
    'all',
  ],
  info: ['clients.pcap', 'a.demo', 'odd.demo', 'a.pcap', 'wrong.pcap', 'all', 'cut.demo'],
  dump: [
    'first.huff',
    'next.delta',
    'two.txt',
    'hex.txt',
    'clients.pcap',
    'a.demo',
    'odd.demo',
    'a.pcap',
    'a.demo -t ndjson',
    'a.pcap -t ndjson',
    'all',
    'cut.demo',
  ],
  extract: [
    'b.demo --ghost -o y.gho',
    'a.pcap -o x.demo',
    'clients.pcap --demo -o x.demo',
    'clients.pcap@first',
    'a.demo',
    'a.pcap',
    'a.demo@9938',
    'a.demo@9970',
    'a.pcap@first',
  ],
  stats: ['clients.pcap', 'a.demo', 'odd.demo', 'a.pcap', 'all', 'a.demo --budget budget.json'],
  export: [
    'first.huff -t csv --tables obj_character',
    'next.delta -t csv --tables snapshots',
    'two.txt -t csv --tables snapshots',
    'hex.txt -t csv --tables snapshots',
    'a.demo --tables kills -t csv',
    'a.demo --tables kills -o out',
    'odd.demo --tables kills -t csv',
    'a.demo --tables obj_player_info -t csv',
    'all --tables demos -t ndjson',
    'a.pcap --tables obj_character -t csv',
    'a.pcap --tables messages -t csv',
    '--tables demos -t ndjson',
    'clients.pcap --tables obj_player_info -t csv',
  ],
  annotate: ['clients.pcap -o x.pcapng', 'a.pcap -o x.pcapng', 'wrong.pcap -o x.pcapng', 'odd.pcap -o x.pcapng', ''],
  slice: [
    'a.demo --ticks 9000..9100 -o x.demo',
    'a.demo -o x.demo',
    'a.demo --around kill -o x-%d.demo',
    'b.demo --ticks 300..400 -o x.demo',
    'clients.pcap --frames 10..400 -o x.pcapng',
    'a.pcap --ticks 34290..34400 -o x.pcap',
    'a.pcap --ticks 34290..34400 --self-contained -o x.pcap',
  ],
  edit: ['a.demo -o x.demo', 'a.demo --anonymise -o x.demo', 'a.pcap --anonymise -o x.pcapng'],
  repair: ['cut.demo -o x.demo', 'cut.demo'],
  concat: ['a.demo a.demo -o x.demo', 'a.demo', 'a.pcap clients.pcap -o x.pcapng'],
  report: [
    '-o x.html',
    'clients.pcap',
    'first.huff',
    'a.pcap',
    'a.demo',
    'b.demo',
    'hex.txt',
    'two.txt',
    'odd.packed -f packed -k delta -p 0.6',
  ],
  trace: [
    'a.demo@9938 obj_character/0.x',
    'b.demo@300 obj_character/0.x',
    'a.pcap@last obj_character/0.x',
    'clients.pcap@last obj_character/0.x',
    // Of the mod's field, which type 10 has with the schema only.
    'a.demo@9938 my_item/0.all[1]',
  ],
  schema: ['', 'obj_character', 'city_player', 'mod.json'],
  completion: ['bash'],
};

/**
 * Values of options by their names, where they are not the choices.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const values = {
  '--output': ['y.out', 'y-%d.demo'],
  '--width': ['40'],
  '--schema': ['mod.json', 'mod.py'],
  '--diff': ['built-in', 'mod.py'],
  '--save': ['x.json'],
  '--budget': ['budget.json'],
  '--client': ['127.0.0.1:51806', '10.0.0.1:1'],
  '--nth': ['2'],
  '--base': ['empty', 'base.snap'],
  '--where': ['obj_character health>5', 'obj_character health>99', 'kill', 'sv_chat'],
  '--type': ['obj_character', 'sv_chat'],
  '--id': ['1'],
  '--ignore': ['x'],
  '--expect': ['1'],
  '--jobs': ['1'],
  '--frames': ['2..40'],
  '--ticks': ['9000..9010', '34290..34292'],
  '--top': ['2'],
  '--tables': ['chat'],
  '--every': ['50'],
  '--shard': ['0/2'],
  '--files-from': ['paths'],
  '--include': ['a*'],
  '--player': ['corpus', 'nobody', '/^bot/'],
  '--from': ['5'],
  '--to': ['10'],
  '--against': ['b.demo'],
  '--around': ['kill:by-player'],
  '--before': ['1'],
  '--after': ['1'],
  '--except': ['corpus'],
  '--strip': ['chat'],
  '--rename': ['corpus=other'],
  '--marker': ['+9000'],
  '--markers': ['none', 'at:kill'],
  '--timestamp': ['2020-01-02_03-04-05'],
  '--limit': ['0.1'],
  '--map': ['dm1', 'none', 'dm1.map'],
  '--data': ['none'],
};

/**
 * Command lines for any file, which `FILE` stands for. Those that do not fit the file show how it is refused.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const fileLines = {
  decode: ['FILE', 'FILE@first', 'FILE@last'],
  diff: ['FILE@first FILE@last', 'empty FILE'],
  apply: ['empty FILE', 'empty FILE@last'],
  checksum: ['FILE', 'FILE --base empty'],
  explain: ['FILE'],
  info: ['FILE'],
  dump: ['FILE', 'FILE -t ndjson'],
  extract: ['FILE -o x.map', 'FILE@last', 'FILE --demo -o x.demo', 'FILE --ghost -o x.gho'],
  stats: ['FILE', 'FILE --by player', 'FILE --by second', 'FILE --by player-field'],
  export: ['FILE -o out', 'FILE -t ndjson --tables players'],
  annotate: ['FILE -o x.pcapng'],
  slice: [
    'FILE --ticks 0:02..0:04 -o x.demo',
    'FILE --around kill --join -o x.demo',
    'FILE --ticks first..last -o x.demo',
    'FILE --frames 2..40 -o x.pcapng',
  ],
  edit: ['FILE -o x.demo'],
  repair: ['FILE', 'FILE -o x.demo'],
  concat: ['FILE FILE -o x.demo'],
  report: ['FILE -o x.html'],
};

/** What a process of its own reads from standard input, the file after `<`. */
export const inputLines = [
  ' < first.huff',
  ' < a.demo',
  'decode < hex.txt',
  'decode - -t json < base.snap',
  'info - < a.pcap',
  'dump - -t ndjson < cut.demo',
  'edit - -o - < a.demo',
  'repair - -o - < cut.demo',
  'stats < a.demo',
  'export - -t csv --tables chat < a.demo',
];
