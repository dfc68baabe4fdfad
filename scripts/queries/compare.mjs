// Compares `dump --where` with jq over the records of the same recordings: twenty questions, the same answers, and the
// computing times.
//
//   node scripts/queries/compare.mjs DEMO...     (needs jq; npm run build first)
//
// An answer is the list of ticks with the item or message that was selected. jq reads what `dump -t ndjson` prints,
// whose time counts too.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const items = (test) =>
  `select(.record=="snapshot") | .tick as $t | .items[] | select(${test}) | [$t,.name,.id] | @json`;
const messages = (test) => `select(.record=="message") | select(${test}) | [.tick,.name] | @json`;
const character = '.name=="obj_character"';

/** A query, and the same question to jq. */
const questions = [
  ['obj_character', items(character)],
  ['obj_character x>800', items(`${character} and .fields.x>800`)],
  ['obj_character x>800 y<700', items(`${character} and .fields.x>800 and .fields.y<700`)],
  ['obj_character weapon=grenade', items(`${character} and .fields.weapon==3`)],
  ['obj_character weapon=ninja', items(`${character} and .fields.weapon==5`)],
  ['obj_character not weapon=gun', items(`${character} and .fields.weapon!=1`)],
  ['obj_character (x<300 or x>2000)', items(`${character} and (.fields.x<300 or .fields.x>2000)`)],
  ['obj_character vel_y<=-1000 direction=1', items(`${character} and .fields.vel_y<= -1000 and .fields.direction==1`)],
  ['obj_character hook_state=grabbed', items(`${character} and .fields.hook_state==5`)],
  ['obj_character/0', items(`${character} and .id==0`)],
  ['obj_character id>=5 health<5', items(`${character} and .id>=5 and .fields.health<5`)],
  ['obj_projectile', items('.name=="obj_projectile"')],
  ['obj_projectile type=grenade', items('.name=="obj_projectile" and .fields.type==3')],
  ['obj_pickup or obj_flag', items('.name=="obj_pickup" or .name=="obj_flag"')],
  ['event_explosion', items('.name=="event_explosion"')],
  ['x>1500', items('.fields.x != null and .fields.x>1500')],
  ['sv_chat', messages('.name=="sv_chat"')],
  ['sv_killmsg weapon=grenade', messages('.name=="sv_killmsg" and .fields.weapon==3')],
  ['sv_killmsg killer<3', messages('.name=="sv_killmsg" and .fields.killer<3')],
  ['sv_emoticon emoticon!=0', messages('.name=="sv_emoticon" and .fields.emoticon!=0')],
];

/** Runs a program, and returns its output with the seconds that it computed. */
function timed(command, args, output) {
  const script = `${command} ${args.map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(' ')} > '${output}'; times`;
  const { stdout, status } = spawnSync('bash', ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status !== 0) throw new Error(`${command} failed`);
  const [user, system] = stdout.trim().split('\n')[1].split(' ');
  const seconds = (text) => {
    const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(text);
    return 60 * Number(minutes) + Number(rest);
  };
  return seconds(user) + seconds(system);
}

const answer = items('true').replace('| @json', '');
const folder = mkdtempSync(join(tmpdir(), 'queries-'));
const path = (name) => join(folder, name);
let different = 0;
try {
  for (const file of process.argv.slice(2)) {
    const dumped = timed('node', ['bin/tw-snap.cjs', 'dump', file, '-t', 'ndjson', '--jobs', '1'], path('all.ndjson'));
    let [ours, theirs] = [0, 0];
    for (const [query, question] of questions) {
      ours += timed(
        'node',
        ['bin/tw-snap.cjs', 'dump', file, '-t', 'ndjson', '--jobs', '1', '--where', query],
        path('found.ndjson'),
      );
      theirs += dumped + timed('jq', ['-r', question, path('all.ndjson')], path('theirs'));
      // What was found is written as jq writes its answers.
      timed(
        'jq',
        [
          '-r',
          question.startsWith('select(.record=="snapshot")') ? `${answer} | @json` : messages('true'),
          path('found.ndjson'),
        ],
        path('ours'),
      );
      const { status } = spawnSync('cmp', ['-s', path('ours'), path('theirs')]);
      if (status === 0) continue;
      different++;
      process.stdout.write(`${file}: ${query}: another answer\n`);
    }
    process.stdout.write(
      `${file}: ${questions.length} questions, --where ${ours.toFixed(1)} s, dump and jq ${theirs.toFixed(1)} s (${(theirs / ours).toFixed(1)} times)\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = different > 0 ? 1 : 0;
