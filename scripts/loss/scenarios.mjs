// What is recorded: each game with each trouble of a network, and how the session ends.
import process from 'node:process';

const ddnet = (map) => ({
  command: '/usr/games/DDNet-Server',
  args: (port) => [
    // It binds no address of IPv4 alone.
    ...[`sv_port ${port}`, 'sv_register 0', `sv_map ${map}`, 'sv_sixup 1', 'stdout_output_level 2'],
    ...['sv_max_clients_per_ip 64', 'sv_vanilla_antispoof 0', 'conn_timeout 10', 'conn_timeout_protection 1'],
    ...['sv_spamprotection 0', 'sv_chat_penalty 0'],
  ],
  started: 'rcon password',
});

const vanilla = (port) => [
  ...['bindaddr 127.0.0.1', `sv_port ${port}`, 'sv_register 0', 'sv_map dm1', 'console_output_level 1'],
  'sv_spamprotection 0',
];

export const servers = {
  teeworlds: { command: '/usr/games/teeworlds-server', args: vanilla, started: 'rcon password' },
  // Debian has no server of 0.6. It is to be compiled, and beside its folder `data`.
  'teeworlds 0.6': {
    command: process.env.TEEWORLDS_06 ?? 'teeworlds_srv-0.6',
    args: vanilla,
    started: 'version 0.6',
  },
  ddnet: ddnet('dm1'),
  // Clients of 0.7 join only on a map that is in its folder maps7, too.
  'ddnet for 0.7': ddnet('LearnToPlay'),
};

const games = {
  'vanilla-06': { game: 'teeworlds 0.6', version: '0.6' },
  'vanilla-07': { game: 'teeworlds', version: '0.7' },
  'ddnet-06': { game: 'ddnet', version: '0.6' },
  'ddnet-07': { game: 'ddnet for 0.7', version: '0.7' },
};

/**
 * The network as in `relay`. After `seconds` the client `ends`: it closes, or falls silent; then the server is watched
 * for `wait` seconds. `players` join at once, each sends so many `chats` a second, or one, and connects `again`.
 */
const troubles = {
  loss: { loss: 0.12, jitter: 0.03, seconds: 15, ends: 'close' },
  heavy: { loss: 0.3, jitter: 0.1, seconds: 20, ends: 'close', wait: 12 },
  timeout: { loss: 0.1, jitter: 0.05, seconds: 12, ends: 'close', wait: 12, cut: { after: 8, to: 'server' } },
  stuck: { loss: 0.05, jitter: 0.02, seconds: 22, ends: 'silent', wait: 2, cut: { after: 6, to: 'client' } },
  // The server has no connection, and the client repeats its first message until it gives up.
  'no-accept': { loss: 0.1, jitter: 0.03, seconds: 15, ends: 'close', cut: { after: 0, to: 'client' } },
  duplicates: { loss: 0.05, jitter: 0.05, duplicates: 0.3, seconds: 15, ends: 'close' },
  'bursts-to-client': {
    ...{ loss: 0.03, jitter: 0.03, seconds: 25, ends: 'close' },
    cut: { after: 5, to: 'client', seconds: 3, every: 8 },
  },
  'bursts-to-server': {
    ...{ loss: 0.03, jitter: 0.03, seconds: 25, ends: 'close' },
    cut: { after: 5, to: 'server', seconds: 3, every: 8 },
  },
  // Some forty packets overtake each other.
  jitter: { loss: 0.05, jitter: 0.8, seconds: 20, ends: 'close', wait: 2 },
  // A chunk is repeated after a second, before its acknowledgement comes back.
  slow: { loss: 0.05, delay: 0.6, jitter: 0.05, seconds: 20, ends: 'close', wait: 2 },
  again: { loss: 0.1, jitter: 0.05, seconds: 32, ends: 'close', wait: 2, again: 10 },
  two: { loss: 0.12, jitter: 0.05, seconds: 15, ends: 'close', players: 2 },
  // More than 1,024 vital chunks each way.
  chats: { loss: 0.05, jitter: 0.03, seconds: 34, ends: 'close', wait: 2, chats: 50 },
};

export const scenarios = Object.fromEntries(
  Object.entries(games).flatMap(([game, of]) =>
    Object.entries(troubles).map(([trouble, network]) => [`${game}-${trouble}`, { ...of, ...network }]),
  ),
);
