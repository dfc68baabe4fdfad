import { sha256 } from '@noble/hashes/sha2.js';
import { addressText } from '../../recording/container/net/ip.ts';
import { addressBytes } from '../../recording/container/net/udp-frame.ts';
import { getOr } from '../../wire/bytes/get-or.ts';

/*
 * Pseudonyms of addresses. Two addresses that begin with the same bits have pseudonyms that begin with as many same
 * bits, so who is in one network with whom stays visible, and nothing else:
 *
 *   192.168.1.20 ─▶  57.90.143.201        a bit is turned or not by a hash of the bits before it and a secret key,
 *   192.168.1.77 ─▶  57.90.143.138        which is thrown away (as Crypto-PAn does)
 *
 * The first byte, or the first two of IPv6, are replaced as a whole, so that the result is an address of a host. Ports
 * keep their order: without a handshake the lower one is the server's.
 */

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

const randomInt = () => new DataView(randomBytes(4).buffer).getUint32(0);

/** The first byte of an address of IPv4 of a host: not 0, 10 and 127, and nothing from 224 on. */
const firstOctets = Array.from({ length: 223 }, (_, i) => i + 1).filter((octet) => octet !== 10 && octet !== 127);
/** Global addresses of IPv6 begin with the bits 001. */
const firstWords = { first: 0x2001, last: 0x3ffe };
/** Ports of no other protocol, which Wireshark would read instead; with many ports, all but those of systems. */
const ownPorts = { first: 49152, last: 65535 };
const allPorts = { first: 1024, last: 65535 };
/** With this many addresses, some draw has no pseudonym that is the address of another one. */
const maxDraws = 100;

/** Replaces the addresses of one capture, all of which are noted before. */
export class Addresses {
  readonly noted = new Set<string>();
  readonly #notedPorts = new Set<number>();
  readonly #pseudonyms = new Map<string, string>();
  readonly #ports = new Map<number, number>();
  readonly #hardware = new Map<string, Uint8Array>();
  #key = new Uint8Array(32);
  #heads = new Map<number, number>();

  note(address: string, port: number): void {
    this.noted.add(address);
    this.#notedPorts.add(port);
  }

  /** Draws the pseudonyms of all that was noted. */
  settle(): void {
    for (let draw = 0; draw < maxDraws; draw++) {
      this.#key = randomBytes(32);
      this.#heads = new Map();
      this.#pseudonyms.clear();
      for (const address of this.noted) this.#pseudonyms.set(address, this.#pseudonymOf(address));
      if ([...this.#pseudonyms.values()].every((pseudonym) => !this.noted.has(pseudonym))) break;
    }
    const ports = [...this.#notedPorts].sort((a, b) => a - b);
    const drawn = new Set<number>();
    const { first, last } = ports.length < (ownPorts.last - ownPorts.first) / 2 ? ownPorts : allPorts;
    while (drawn.size < Math.min(ports.length, last + 1 - first)) drawn.add(first + this.#below(last + 1 - first));
    for (const [i, port] of [...drawn].sort((a, b) => a - b).entries()) this.#ports.set(ports[i]!, port);
  }

  /** @throws TypeError for one that was not noted */
  end(address: string, port: number): { readonly address: string; readonly port: number } {
    const pseudonym = this.#pseudonyms.get(address);
    // With more ports than there are to draw, some stay.
    const newPort = this.#ports.get(port) ?? port;
    if (pseudonym === undefined) throw new TypeError(`${address} was not noted`);
    return { address: pseudonym, port: newPort };
  }

  /** An address of a network card. Those of groups, and none at all, stay. */
  hardwareAddress(bytes: Uint8Array): Uint8Array {
    if (bytes.every((byte) => byte === 0) || (bytes[0]! & 1) === 1) return bytes;
    return getOr(this.#hardware, bytes.join(), () => {
      const drawn = randomBytes(bytes.length);
      // Locally administered, of one card.
      drawn[0] = 0x02;
      return drawn;
    });
  }

  #pseudonymOf(address: string): string {
    const bytes = addressBytes({ address, port: 0 });
    const isMapped = bytes.length === 16 && /^::ffff:\d+\./.test(address);
    const from = isMapped ? 12 : 0;
    const own = bytes.slice(from);
    const headBytes = own.length === 4 ? 1 : 2;
    const now = new Uint8Array(own.length);
    const head = headBytes === 1 ? own[0]! : (own[0]! << 8) | own[1]!;
    const newHead = getOr(this.#heads, head + (headBytes << 16), () => this.#newHead(headBytes));
    if (headBytes === 1) now[0] = newHead;
    else now.set([newHead >> 8, newHead & 0xff]);
    for (let i = headBytes; i < own.length; i++) now[i] = own[i]! ^ this.#turned(own, i);
    const all = bytes.slice();
    all.set(now, from);
    return addressText(all, 0, all.length);
  }

  #newHead(bytes: number): number {
    const used = new Set(this.#heads.values());
    for (;;) {
      const head =
        bytes === 1
          ? firstOctets[this.#below(firstOctets.length)]!
          : firstWords.first + this.#below(firstWords.last - firstWords.first);
      if (!used.has(head)) return head;
      // More first bytes than addresses of hosts have: groups and others are among them.
      if (bytes === 1 && used.size >= firstOctets.length) return 224 + this.#below(32);
    }
  }

  /** The bits of a byte that are turned: each depends on all bits before it. */
  #turned(bytes: Uint8Array, at: number): number {
    let turned = 0;
    for (let bit = 0; bit < 8; bit++) {
      const before = bytes.slice(0, at + 1);
      before[at] = bytes[at]! & (0xff00 >> bit);
      const hash = sha256(Uint8Array.from([...this.#key, bit, ...before]));
      turned |= (hash[0]! & 1) << (7 - bit);
    }
    return turned;
  }

  #below(limit: number): number {
    return Math.floor((randomInt() / 2 ** 32) * limit);
  }
}

/** Replaces numbers by random ones, the same each time: the tokens of connections. */
export class Tokens {
  readonly #known = new Map<number, number>();
  readonly #uuids = new Map<string, Uint8Array>();

  /** None, all ones, stays none. */
  token(token: number): number {
    if (token === 0xffffffff || token === 0) return token;
    return getOr(this.#known, token, () => randomInt() & 0x7fffffff);
  }

  uuid(text: string): Uint8Array {
    return getOr(this.#uuids, text, () => randomBytes(16));
  }
}
