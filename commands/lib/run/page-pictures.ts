import { promisify } from 'node:util';
import { unpackZlib } from '../../../src/input/decompress/decompress.ts';
import { escapeText } from '../../../src/output/text/escape.ts';
import { PictureGatherer, type Pictures } from '../../../src/page/report/pictures.ts';
import type { ReportData } from '../../../src/page/report/report-data.ts';
import { readMapDesign } from '../../../src/recording/container/map/map-design.ts';
import { Players } from '../../../src/recording/events/players.ts';
import type { RecordingEntry, SnapshotEntry } from '../../../src/recording/replay/record.ts';
import { inputError } from '../options/errors.ts';
import type { Io } from '../platform/io.ts';
import { nodePlatform } from '../platform/node-platform.ts';

/** A larger file is no picture of the games. */
const maxPictureBytes = 1 << 23;
/** Players are looked at in every snapshot whose number is a multiple of this. */
const playersEvery = 25;
/** The folders of the parts of a skin of 0.7, in their order; hands are not drawn. */
const partFolders = ['body', 'marking', 'decoration', undefined, 'feet', 'eyes'];

/** Takes the pictures that a recording needs from the data of an installed game. */
export class GameData {
  readonly #folder: string;
  readonly #io: Io;
  readonly #players = new Players(true);
  readonly #skins = new Set<string>();
  #version: string | undefined;
  #snapshots = 0;

  /** @throws CommandError if it is no folder with the data of a game */
  constructor(folder: string, io: Io) {
    if (!io.exists(`${folder}/game.png`) || !io.isFolder(`${folder}/mapres`))
      throw inputError(`${escapeText(folder)}: this is not the data of a game: it has no game.png and mapres`);
    this.#folder = folder;
    this.#io = io;
  }

  /** Notes the skins of players. */
  add(entry: RecordingEntry): void {
    if (entry.record === 'message' && entry.direction === 'to_client' && entry.head.version === undefined) {
      if (!/^sv_(clientinfo|skinchange)$/.test(entry.head.type?.name ?? '')) return;
      this.#players.onMessage(entry.message);
      this.#note(entry.stream.protocol.version);
    }
    if (entry.record === 'snapshot' && entry.snapshot) this.#onSnapshot(entry);
  }

  #onSnapshot({ snapshot, stream }: SnapshotEntry): void {
    if (this.#snapshots++ % playersEvery !== 0) return;
    this.#players.onSnapshot(snapshot!, stream.protocol);
    this.#note(stream.protocol.version);
  }

  #note(version: string): void {
    this.#version = version;
    for (const { skin } of this.#players.infos) this.#skins.add(skin);
  }

  async pictures({ mapFile }: ReportData): Promise<Pictures> {
    const inflate = (data: Uint8Array, size: number) => unpackZlib(data, size, nodePlatform);
    const { deflate } = await import('node:zlib');
    const packed = (data: Uint8Array) => promisify<Uint8Array, object, Uint8Array>(deflate)(data, { level: 9 });
    const gatherer = new PictureGatherer((path) => this.#read(path), inflate, packed);
    const is07 = this.#version === '0.7';
    const parts = (skin: string) =>
      skin.split('/').flatMap((name, i) => (name && partFolders[i] ? [`${partFolders[i]}/${name}`] : []));
    return gatherer.gather({
      design: mapFile && (await readMapDesign(mapFile, inflate)),
      skins: is07 ? [...this.#skins].flatMap(parts) : this.#skins,
      is07,
    });
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    // DDNet has the parts of skins of 0.7 in a folder of their own.
    const found = [path, path.replace(/^skins\/(?=.*\/)/, 'skins7/')]
      .map((name) => `${this.#folder}/${name}`)
      .find((file) => this.#io.exists(file) && !this.#io.isFolder(file) && this.#io.size(file) <= maxPictureBytes);
    if (found === undefined) return undefined;
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#io.open(found)) pieces.push(piece);
    return new Uint8Array(Buffer.concat(pieces));
  }
}
