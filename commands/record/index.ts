import { addressOf, readAddress } from '../../src/api/node/address.ts';
import { escapeText } from '../../src/output/text/escape.ts';
import { readSchemaFile } from '../lib/input/inputs.ts';
import { exit, inputError, reason, usageError } from '../lib/options/errors.ts';
import { common, type Given, output, printing, text } from '../lib/options/options.ts';
import { printingOf } from '../lib/output/printing.ts';
import { Interrupt } from '../lib/platform/growing.ts';
import type { Io } from '../lib/platform/io.ts';
import { printNote } from '../lib/platform/note.ts';
import { gameFolders, mapFile } from './maps.ts';
import { Recorder } from './recorder.ts';
import { Relay } from './relay.ts';

const { color, width, ascii } = printing(['text']);

export const definition = {
  arguments: { '<server>': 'HOST:PORT of the server; port 8303 without :PORT' },
  options: {
    listen: text('--listen <address>', 'where the game connects to (default: 127.0.0.1:8304)'),
    map: text('--map <path>', "the server's map, or a folder of maps (default: also the games' folders)"),
    schema: common.schema,
    output: {
      ...output('the file to write, .demo or .pcapng; further demos are match-2.demo and so on'),
      isOutputFile: false,
    },
    ...{ color, width, ascii },
  },
  help: `
Enter 'connect 127.0.0.1:8304' in the console of the game; Ctrl-C ends the recording.

Examples:
  tw-snap record 192.0.2.7:8303 -o match.demo
  tw-snap record localhost -o match.pcapng --listen 127.0.0.1:8310`,
};

type Options = Given<typeof definition.options>;

const defaultListen = '127.0.0.1:8304';

/** Records the matches of the clients that connect to a server through this program. */
export async function run([target]: readonly string[], given: Options, io: Io): Promise<number> {
  const { output, listen = defaultListen, map } = given;
  if (!output || !/[^/\\]\.(demo|pcapng)$/.test(output)) {
    throw usageError(`name the file to write with -o: match.demo, or match.pcapng${output ? `; not ${output}` : ''}`);
  }
  if (map !== undefined && !io.exists(map)) throw inputError(`${map}: no such file`);
  const schema = await readSchemaFile(given.schema, io);
  const [server, own] = await Promise.all([resolved(target!, 'the server'), resolved(listen, '--listen')]);
  const printingStyle = await printingOf({ ...given, to: 'text', output: undefined, verbose: undefined }, io);
  const interrupt = new Interrupt();
  const recorder = new Recorder({
    ...{ output, schema, io, printing: printingStyle },
    server: { address: server.address, port: server.port },
    findMap: (announced) => mapFile(announced, [...(map ? [map] : []), ...gameFolders(io.env)]),
  });
  let failure: { readonly error: unknown } | undefined;
  const failed = (error: unknown) => {
    failure ??= { error };
    interrupt.end();
  };
  const relay = await opened({ listen: own, server, board: (client) => recorder.board(client), failed }, listen);
  await printNote(`in the console of the game: connect ${relay.address}`, io);
  while (!interrupt.isOver) {
    await interrupt.pause(1000);
    await recorder.everySecond();
  }
  interrupt.cancel();
  relay.close();
  if (failure) throw failure.error;
  return (await recorder.finish(relay.refused)) ? exit.fine : exit.finding;
}

async function resolved(text: string, what: string) {
  const named = readAddress(text);
  if (!named) throw usageError(`${what}: expected HOST:PORT, as 192.0.2.7:8303; not ${escapeText(text)}`);
  try {
    return await addressOf(named);
  } catch (error) {
    const isUnknown = (error as NodeJS.ErrnoException).code === 'ENOTFOUND';
    throw inputError(`${named.host}: ${isUnknown ? 'there is no such host' : reason(error)}`);
  }
}

async function opened(options: Parameters<typeof Relay.open>[0], listen: string): Promise<Relay> {
  try {
    return await Relay.open(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw usageError(`${listen} is in use: name another address with --listen`);
    if (code === 'EADDRNOTAVAIL') throw usageError(`--listen: ${listen} is not an address of this machine`);
    throw usageError(`--listen: ${listen}: ${reason(error)}`);
  }
}
