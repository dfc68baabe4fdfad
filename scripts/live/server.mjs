// A real server with a home of its own, which can be told to do something, as from its console.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const password = 'live';

export class Server {
  /** What it logs. */
  lines = [];
  #child;
  #home = mkdtempSync(join(tmpdir(), 'tw-snap-server-'));
  #pipe = join(this.#home, 'console');
  #program;
  #port;
  #args;

  /**
   * @param {string} program its path
   * @param {number} port
   * @param {string[]} settings
   */
  constructor(program, port, settings) {
    // DDNet accepts clients of 0.7 on maps that it has in maps7, too.
    const maps7 = join(this.#home, '.local/share/ddnet/maps7');
    mkdirSync(maps7, { recursive: true });
    for (const map of ['dm1', 'dm2']) {
      const file = `/usr/share/games/teeworlds/data/maps/${map}.map`;
      if (existsSync(file)) copyFileSync(file, join(maps7, `${map}.map`));
    }
    this.#program = program;
    this.#port = port;
    const [level, ...console] = this.#isDDNet
      ? ['stdout_output_level 2', `sv_input_fifo ${this.#pipe}`]
      : ['console_output_level 2', `ec_port ${port}`, `ec_password ${password}`, 'ec_bindaddr 127.0.0.1'];
    this.#args = [level, `sv_port ${port}`, 'sv_register 0', ...console, ...settings];
  }

  get #isDDNet() {
    return this.#program.includes('DDNet');
  }

  async start(map) {
    const env = { ...process.env, HOME: this.#home };
    const args = [...this.#args, `sv_map ${map}`];
    this.#child = spawn(this.#program, args, { cwd: this.#home, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const read = (data) => this.lines.push(...String(data).split('\n').filter(Boolean));
    this.#child.stdout.on('data', read);
    this.#child.stderr.on('data', read);
    for (let i = 0; i < 100 && !this.lines.some((line) => line.includes('rcon password')); i++) await pause(100);
  }

  async stop(signal) {
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
    this.lines = [];
  }

  /** A line for its console: of DDNet a pipe, of Teeworlds a port. */
  async tell(line) {
    if (this.#isDDNet) {
      appendFileSync(this.#pipe, `${line}\n`);
      return;
    }
    const socket = connectTcp(this.#port, '127.0.0.1');
    socket.on('error', (error) => this.lines.push(`console: ${error.message}`));
    for (const text of [password, line]) {
      await pause(500);
      socket.write(`${text}\n`);
    }
    await pause(500);
    socket.destroy();
  }

  async changeMap(map) {
    await this.tell(this.#isDDNet ? `change_map ${map}` : `sv_map ${map}`);
  }

  async end() {
    await this.stop('SIGKILL');
    rmSync(this.#home, { recursive: true, force: true });
  }
}

export async function freePort() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}
