// What is recorded: a game, a network, and how the session ends. Loss from 0 to 1; jitter in seconds, which also
// reorders.
import process from 'node:process';

const ddnet = (map) => ({
  command: '/usr/games/DDNet-Server',
  args: (port) => [
    // It binds no address of IPv4 alone.
    ...[`sv_port ${port}`, 'sv_register 0', `sv_map ${map}`, 'sv_sixup 1', 'stdout_output_level 2'],
    ...['sv_max_clients_per_ip 64', 'sv_vanilla_antispoof 0', 'conn_timeout 10', 'conn_timeout_protection 1'],
  ],
  started: 'rcon password',
});

export const servers = {
  teeworlds: {
    command: '/usr/games/teeworlds-server',
    args: (port) => ['bindaddr 127.0.0.1', `sv_port ${port}`, 'sv_register 0', 'sv_map dm1', 'console_output_level 1'],
    started: 'rcon password',
  },
  // Debian has no server of 0.6. It is to be compiled, and beside its folder `data`.
  'teeworlds 0.6': {
    command: process.env.TEEWORLDS_06 ?? 'teeworlds_srv-0.6',
    args: (port) => ['bindaddr 127.0.0.1', `sv_port ${port}`, 'sv_register 0', 'sv_map dm1', 'console_output_level 1'],
    started: 'version 0.6',
  },
  ddnet: ddnet('dm1'),
  // Clients of 0.7 join only on a map that is in its folder maps7, too.
  'ddnet for 0.7': ddnet('LearnToPlay'),
};

/**
 * `ends`: the client closes, falls silent, or stays until the server gives it up; `wait`: the seconds after that in
 * which the server is watched.
 */
export const scenarios = {
  'vanilla-07-loss': {
    game: 'teeworlds',
    version: '0.7',
    seed: 7,
    loss: 0.12,
    jitter: 0.03,
    seconds: 15,
    ends: 'close',
  },
  'vanilla-07-heavy': {
    game: 'teeworlds',
    version: '0.7',
    seed: 21,
    loss: 0.35,
    jitter: 0.12,
    seconds: 20,
    ends: 'close',
  },
  'vanilla-07-timeout': {
    game: 'teeworlds',
    version: '0.7',
    seed: 3,
    loss: 0.1,
    jitter: 0.05,
    seconds: 12,
    ends: 'close',
    wait: 12,
    cut: { after: 8, to: 'server' },
  },
  'vanilla-07-stuck': {
    game: 'teeworlds',
    version: '0.7',
    seed: 5,
    loss: 0.05,
    jitter: 0.02,
    seconds: 22,
    ends: 'silent',
    wait: 2,
    cut: { after: 6, to: 'client' },
  },
  'vanilla-06-loss': {
    game: 'teeworlds 0.6',
    version: '0.6',
    seed: 51,
    loss: 0.12,
    jitter: 0.03,
    seconds: 15,
    ends: 'close',
  },
  'vanilla-06-heavy': {
    game: 'teeworlds 0.6',
    version: '0.6',
    seed: 53,
    loss: 0.3,
    jitter: 0.1,
    seconds: 20,
    ends: 'close',
    wait: 12,
  },
  'vanilla-06-timeout': {
    game: 'teeworlds 0.6',
    version: '0.6',
    seed: 57,
    loss: 0.1,
    jitter: 0.05,
    seconds: 12,
    ends: 'close',
    wait: 12,
    cut: { after: 8, to: 'server' },
  },
  'ddnet-06-loss': { game: 'ddnet', version: '0.6', seed: 12, loss: 0.12, jitter: 0.03, seconds: 15, ends: 'close' },
  // The accept is lost: the server has no connection, and the client repeats its first message until it gives up.
  'ddnet-06-no-accept': {
    game: 'ddnet',
    version: '0.6',
    seed: 11,
    loss: 0.12,
    jitter: 0.03,
    seconds: 15,
    ends: 'close',
  },
  'ddnet-06-timeout': {
    game: 'ddnet',
    version: '0.6',
    seed: 13,
    loss: 0.1,
    jitter: 0.05,
    seconds: 12,
    ends: 'close',
    wait: 12,
    cut: { after: 8, to: 'server' },
  },
  'ddnet-06-heavy': {
    game: 'ddnet',
    version: '0.6',
    seed: 17,
    loss: 0.3,
    jitter: 0.1,
    seconds: 20,
    ends: 'close',
    wait: 12,
  },
  'ddnet-07-loss': {
    game: 'ddnet for 0.7',
    version: '0.7',
    seed: 31,
    loss: 0.12,
    jitter: 0.03,
    seconds: 15,
    ends: 'close',
  },
  'ddnet-07-heavy': {
    game: 'ddnet for 0.7',
    version: '0.7',
    seed: 37,
    loss: 0.3,
    jitter: 0.1,
    seconds: 20,
    ends: 'close',
    wait: 12,
  },
  'ddnet-07-timeout': {
    game: 'ddnet for 0.7',
    version: '0.7',
    seed: 41,
    loss: 0.1,
    jitter: 0.05,
    seconds: 12,
    ends: 'close',
    wait: 12,
    cut: { after: 8, to: 'server' },
  },
};
