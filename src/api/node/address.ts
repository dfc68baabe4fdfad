import { lookup } from 'node:dns/promises';

/** The games' own port. */
const defaultPort = 8303;

/** One end of a connection, with the address of its host. */
export interface Address {
  readonly address: string;
  readonly port: number;
  readonly family: 4 | 6;
}

/** Reads `HOST:PORT`, `HOST`, `1.2.3.4:8303` and `[::1]:8303`. Undefined for any other text. */
export function readAddress(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, v6, name, number] = /^(?:\[([\da-f:.]+)\]|([^\s:[\]/]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = v6 ?? name;
  const port = Number(number ?? defaultPort);
  return host === undefined || port < 1 || port > 0xffff ? undefined : { host, port };
}

/** Looks up a host; most servers have IPv4 only, which comes first. @throws Error with a `code` if it has no address */
export async function addressOf({ host, port }: { readonly host: string; readonly port: number }): Promise<Address> {
  const { address, family } = await lookup(host, { verbatim: false });
  return { address, port, family: family === 6 ? 6 : 4 };
}
