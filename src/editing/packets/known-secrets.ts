import type { PacketEntry, RecordingEntry } from '../../recording/replay/record.ts';
import { connlessVersion } from '../../wire/packet/packet.ts';
import { infoOf, readConnless } from '../../wire/packet/packet-values.ts';
import { Identities } from '../rename-players.ts';
import type { Addresses } from './addresses.ts';
import { messageIn } from './packet-rewriter.ts';

/** More take more memory than a command may. */
const maxSecrets = 10_000;
/** Shorter texts are found by chance. */
const minSecret = 5;

/** What is typed into chat for the server alone. */
const commandWithSecret = /^\/(?:timeout|save|load|password|login|register)\s+(\S.*)$/s;

/**
 * Collects what must not be in an anonymised capture: from all that was sent, also in copies that nobody took and in
 * packets that were dropped. Its input is the records of a replay with the options `blocks` and `parts`.
 */
export class KnownSecrets {
  readonly identities = new Identities();
  /** Passwords, codes that take a player back after a timeout, and codes of saved games. */
  readonly texts = new Set<string>();
  readonly #addresses: Addresses;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'block') {
      const { ends } = entry;
      if (!ends) return;
      this.#addresses.note(ends.source, ends.sourcePort);
      this.#addresses.note(ends.destination, ends.destinationPort);
    } else if (entry.record === 'packet') this.#packet(entry);
    else if (entry.record === 'snapshot') this.identities.add(entry);
  }

  #packet({ stream, direction, packet, bytes }: PacketEntry): void {
    if (!stream) {
      this.#connless(bytes);
      return;
    }
    if (!packet || !direction) return;
    for (const { start, end } of packet.chunks) {
      const message = messageIn(packet.payload.subarray(start, end), stream, direction);
      this.identities.addMessage(message);
      const name = message.type?.name ?? '';
      for (const { name: field, type, value } of message.values) {
        if (typeof value !== 'string' || type.kind !== 'string') continue;
        const command = name === 'cl_say' ? commandWithSecret.exec(value)?.[1] : undefined;
        if (command !== undefined) this.#addText(command);
        else if ((type.secret && field === 'password') || field === 'generated_code' || field === 'code')
          this.#addText(value);
      }
    }
  }

  #connless(bytes: Uint8Array): void {
    const version = connlessVersion(bytes);
    if (!version) return;
    for (const { name, clan } of infoOf(readConnless(bytes, { version })).players) {
      if (typeof name === 'string') this.identities.addName(name, 'player');
      if (typeof clan === 'string') this.identities.addName(clan, 'clan');
    }
  }

  #addText(text: string): void {
    if (text.length >= minSecret && this.texts.size < maxSecrets) this.texts.add(text);
  }
}
