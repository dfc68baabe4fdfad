// Joins a server, walks to and fro, and prints how many snapshots have the checksum that was announced.
// Usage: node live-client.mjs 0.6|0.7 PORT [SNAPSHOTS [HOST]]
import process from 'node:process';
import { items } from 'tw-snap';
import { connect } from 'tw-snap/node';

const [version, port, wanted = '1000', host = '127.0.0.1'] = process.argv.slice(2);
const server = connect(`${host}:${port}`, { protocol: version, name: 'snapper', downloadMap: false });
const verdicts = {};
let received = 0;
let players = 0;
for await (const { record, stream, tick, verdict, snapshot } of server) {
  if (record !== 'snapshot') continue;
  verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  if (snapshot) players = [...items(snapshot, stream.protocol, 'obj_player_info')].length;
  server.input({ direction: tick % 100 < 50 ? -1 : 1, target_x: tick % 99 });
  if (++received >= Number(wanted)) server.close();
}
console.log(JSON.stringify({ received, verdicts, players, reason: server.closed.reason }));
