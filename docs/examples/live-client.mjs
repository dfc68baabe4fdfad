// Joins a server, receives snapshots as a client does, and prints how many of them have the checksum that was announced.
// Usage: node live-client.mjs 0.6|0.7 PORT [SNAPSHOTS [HOST]]
import { createSocket } from 'node:dgram';
import process from 'node:process';
import { items } from 'tw-snap';
import { protocolOf } from 'tw-snap/codec';
import { Channel, readMessage, SnapshotReceiver, writeMessage } from 'tw-snap/live';

const [version, port, wanted = '1000', host = '127.0.0.1'] = process.argv.slice(2);
const protocol = protocolOf(version);
const socket = createSocket('udp4');
const channel = new Channel(version, 'client');
const receiver = new SnapshotReceiver(protocol);
const verdicts = {};
let received = 0;
let players = 0;

const seconds = () => performance.now() / 1000;
const send = (name, fields, vital = true) => channel.send(writeMessage(protocol, name, fields), { vital });

const info =
  version === '0.7'
    ? { version: '0.7 802f1be60a05665f', password: '', client_version: 0x0705 }
    : { version: '0.6 626fce9a778df4d4', password: '' };
const skin = {
  0.6: { skin: 'default', use_custom_color: 0, color_body: 0, color_feet: 0 },
  0.7: {
    skin_part_names: ['standard', '', '', 'standard', 'standard', 'standard'],
    use_custom_colors: [0, 0, 0, 0, 0, 0],
    skin_part_colors: [0, 0, 0, 0, 0, 0],
  },
}[version];

const idle = { jump: 0, fire: 0, hook: 0, player_flags: 0, wanted_weapon: 0, next_weapon: 0, prev_weapon: 0 };

/** The input of a player who walks to and fro and looks around; it tells the server which snapshot has arrived. */
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
  else if (name === 'con_ready') send('cl_startinfo', { name: 'snapper', clan: '', country: -1, ...skin });
  else if (name === 'sv_readytoenter') send('enter_game', {});
  for (const { verdict, snapshot } of receiver.add(message, seconds())) {
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    if (snapshot) players = [...items(snapshot, protocol, 'obj_player_info')].length;
    received++;
  }
  if (name?.startsWith('snap')) send('input', input(), false);
}

socket.on('message', (bytes) => {
  for (const message of channel.receive(bytes)) onMessage(readMessage(message, protocol));
  if (received >= Number(wanted)) channel.close();
});

let joined = false;
socket.connect(Number(port), host);
const clock = setInterval(() => {
  if (channel.state === 'online' && !joined) send('info', info);
  joined ||= channel.state === 'online';
  for (const packet of channel.packets(seconds())) socket.send(packet);
  if (channel.state !== 'closed') return;
  clearInterval(clock);
  socket.close();
  console.log(JSON.stringify({ received, verdicts, players, reason: channel.reason }));
}, 10);
