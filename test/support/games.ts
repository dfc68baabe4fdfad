import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Display, virtualDisplay } from '../../scripts/games/display.mjs';
import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { IntBuffer } from '../../src/wire/bytes/buffers.ts';
import { readInts } from '../../src/wire/codec/int32.ts';
import { contentsOf } from './edit.ts';
import { hasTool, spawn, tool } from './host.ts';

/** A game that plays demos: Debian's packages ddnet and teeworlds. */
export type Game = 'DDNet' | 'teeworlds';

export const hasGame = (game: Game): boolean => hasTool('Xvfb') && hasTool(game);

/** DDNet plays at this speed; Teeworlds 0.7.5 has no command for it. */
const speed = 8;

/** What a game logged while it played a demo. */
export interface Played {
  readonly log: readonly string[];
  /** The chat lines in order, up to the last one; Teeworlds then repeats the demo. */
  readonly chat: readonly string[];
  /** Whether the chat line was shown that {@link withLastChat} appends. */
  readonly isAtEnd: boolean;
  /** Whether the game ended by itself, as it does on a failed assertion. */
  readonly hasCrashed: boolean;
}

const lastWords = 'this was the last message';

/**
 * The demo with a chat line of the server as its last message, which the game shows only after it has read everything
 * before it.
 */
function withLastChat(file: Uint8Array): Uint8Array {
  const { netVersion, version } = contentsOf(file).header;
  // Each int is below 64, or -1: one byte. Message 3 of the game is sv_chat in both versions.
  const head = netVersion.startsWith('0.7') ? [3 << 1, 1, 0x40, 0x40] : [3 << 1, 0, 0x40];
  const bytes = Uint8Array.from([...head, ...new TextEncoder().encode(lastWords), 0]);
  const padded = new Uint8Array(4 * Math.ceil(bytes.length / 4));
  padded.set(bytes);
  const ints = new IntBuffer();
  readInts(padded, 0, padded.length, ints);
  const writer = new DemoWriter(version);
  writer.chunk('message', writer.encode(ints.ints, ints.length));
  return new Uint8Array(Buffer.concat([file, writer.flush()]));
}

/** Plays demos one by one, each in its own game on a virtual display. */
export class Stage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tw-snap-games-'));
  readonly #display: Display;

  private constructor(display: Display) {
    this.#display = display;
  }

  static async open(): Promise<Stage> {
    return new Stage(await virtualDisplay(tool('Xvfb').path));
  }

  close(): void {
    this.#display.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async play(game: Game, name: string, demo: Uint8Array, seconds: number): Promise<Played> {
    const [home, log, fifo] = ['', `${name}.log`, 'fifo'].map((text) => join(this.#folder, text));
    const demos = join(home!, game === 'DDNet' ? '.local/share/ddnet/demos' : '.teeworlds/demos');
    mkdirSync(demos, { recursive: true });
    writeFileSync(join(demos, `${name}.demo`), withLastChat(demo));
    const options = game === 'DDNet' ? [`cl_input_fifo ${fifo}`] : ['console_output_level 2'];
    const size = ['gfx_screen_width 320', 'gfx_screen_height 240', 'gfx_fullscreen 0', 'snd_enable 0'];
    const env = { HOME: home!, DISPLAY: this.#display.name, SDL_VIDEODRIVER: 'x11', SDL_AUDIODRIVER: 'dummy' };
    const child = spawn(
      'sh',
      ['-c', 'exec "$0" "$@" > "$LOG" 2>&1', tool(game).path!, ...size, ...options, `play demos/${name}.demo`],
      { stdio: 'ignore', env: { ...process.env, ...env, LIBGL_ALWAYS_SOFTWARE: '1', LOG: log! } },
    );
    const lines = () => (existsSync(log!) ? readFileSync(log!, 'utf8').split('\n') : []);
    const isAtEnd = () => lines().some((line) => line.includes(lastWords));
    const end = Date.now() + 1000 * (120 + seconds);
    let isFast = false;
    while (Date.now() < end && child.exitCode === null && child.signalCode === null && !isAtEnd()) {
      await pause(500);
      if (game === 'DDNet' && !isFast && existsSync(fifo!)) {
        isFast = true;
        await appendFile(fifo!, `demo_speed ${speed}\n`);
      }
    }
    const hasCrashed = child.exitCode !== null || child.signalCode !== null;
    child.kill();
    await new Promise((done) => (hasCrashed ? done(0) : child.once('exit', done)));
    rmSync(fifo!, { force: true });
    const all = lines();
    const upToLast = all.slice(0, all.findIndex((line) => line.includes(lastWords)) + 1);
    return {
      log: all,
      chat: upToLast.filter((line) => /\b(team)?chat\]?: /.test(line)),
      isAtEnd: isAtEnd(),
      hasCrashed,
    };
  }
}
