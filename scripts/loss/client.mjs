// A player who joins a server, walks about, chats, and ends as told; for the scenarios of loss. At the end it prints the
// ticks of the snapshots that it took, a list for each connection.
// Usage: node client.mjs 0.6|0.7 PORT SECONDS close|silent [CHATS-PER-SECOND [SECONDS-UNTIL-IT-CONNECTS-AGAIN]]
import { createSocket } from 'node:dgram';
import process from 'node:process';
import { protocolOf } from '../../dist/library/api/codec.js';
import { Channel, readMessage, SnapshotReceiver, writeMessage } from '../../dist/library/api/live.js';

const [version, port, length, ends, chats = 0, again] = process.argv.slice(2);
const protocol = protocolOf(version);
const socket = createSocket('udp4');
let channel = new Channel(version, 'client');
let receiver = new SnapshotReceiver(protocol);
const taken = [[]];
const seconds = () => performance.now() / 1000;
const send = (name, fields, vital = true) => channel.send(writeMessage(protocol, name, fields), { vital });

const is07 = version === '0.7';
const info = is07
  ? { version: '0.7 802f1be60a05665f', password: '', client_version: 0x0705 }
  : { version: '0.6 626fce9a778df4d4', password: '' };
const skin = is07
  ? {
      skin_part_names: ['standard', '', '', 'standard', 'standard', 'standard'],
      use_custom_colors: [0, 0, 0, 0, 0, 0],
      skin_part_colors: [0, 0, 0, 0, 0, 0],
    }
  : { skin: 'default', use_custom_color: 0, color_body: 0, color_feet: 0 };
const idle = { jump: 0, fire: 0, hook: 0, player_flags: 0, wanted_weapon: 0, next_weapon: 0, prev_weapon: 0 };
const input = () => ({
  ack_snapshot: receiver.acknowledged,
  intended_tick: receiver.acknowledged + 2,
  input_size: 40,
  direction: seconds() % 2 < 1 ? -1 : 1,
  target_x: Math.round(99 * Math.sin(9 * seconds())),
  target_y: -9,
  ...idle,
});

function onMessage({ name, message }) {
  if (name === 'map_change') send('ready', {});
  else if (name === 'con_ready') send('cl_startinfo', { name: 'lossy', clan: '', country: -1, ...skin });
  else if (name === 'sv_readytoenter') send('enter_game', {});
  for (const { tick, verdict } of receiver.add(message, seconds())) if (verdict === 'ok') taken.at(-1).push(tick);
  if (name?.startsWith('snap') && chatted === 0 && seconds() - begin > 4) chat();
  if (name?.startsWith('snap')) send('input', input(), false);
}

function chat() {
  chatted++;
  send('cl_say', is07 ? { mode: 1, target: -1, message: 'hello' } : { team: 0, message: 'hello' });
}

/** From the same port, and without a word to the server: as after a crash. */
function connectAgain() {
  channel = new Channel(version, 'client');
  receiver = new SnapshotReceiver(protocol);
  taken.push([]);
  joined = false;
}

let joined = false;
let chatted = 0;
let closed = false;
const begin = seconds();
socket.on('message', (bytes) => {
  for (const message of channel.receive(bytes)) onMessage(readMessage(message, protocol));
});
socket.connect(Number(port), '127.0.0.1');
const clock = setInterval(() => {
  if (channel.state === 'online' && !joined) send('info', info);
  joined ||= channel.state === 'online';
  if (again !== undefined && taken.length === 1 && seconds() - begin > Number(again)) connectAgain();
  if (chatted > 0 && chatted < chats * (seconds() - begin - 4)) chat();
  if (seconds() - begin > Number(length) && !closed) {
    closed = true;
    if (ends === 'close') channel.close();
  }
  for (const packet of channel.packets(seconds())) socket.send(packet);
  if (!closed && channel.state !== 'closed') return;
  clearInterval(clock);
  setTimeout(() => {
    socket.close();
    process.stdout.write(JSON.stringify(taken));
  }, 100);
}, 10);
