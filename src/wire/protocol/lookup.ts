import { distance } from 'fastest-levenshtein';
import type { ItemType } from './item.ts';
import type { MessageType } from './message-type.ts';

/**
 * What a word stands for: a name, also without `obj_` or `sv_`; a UUID, its name; a type number; a name of the games,
 * `CNetObj_Character`, or of other projects, `obj_client_info` for `obj_de_client_info`.
 */
export function findTypes<Type extends ItemType | MessageType>(types: readonly Type[], word: string): readonly Type[] {
  if (/^\d+$/.test(word)) return types.filter((type) => 'type' in type && type.type === Number(word));
  const searched = normalized(word);
  const exact = types.filter(({ name, uuidName, uuid }) =>
    [name, uuidName, uuid].some((candidate) => candidate && normalized(candidate) === searched),
  );
  if (exact.length > 0) return exact;
  const shortened = types.filter(({ name }) => normalized(short(name)) === searched);
  if (shortened.length > 0) return shortened;
  return types.filter(({ name }) => name === otherNames[searched] || normalized(withoutDe(name)) === searched);
}

/**
 * Messages that the sources call otherwise, without `_`.
 *
 * Source: `NETMSG_CLIENTVER` in protocol_ex_msgs.h of DDNet and `NETMSG_RCON_CMD_REM` in protocol.h of the games;
 * `Cl_IsDDNet` in datasrc/network.py of DDNet until 15.2.
 */
const otherNames: Readonly<Record<string, string>> = {
  clientver: 'client_version',
  rconcmdrem: 'rcon_cmd_remove',
  clisddnet: 'cl_isddnetlegacy',
};

/**
 * Other projects leave out the `de` of items that only demos have, since 0.6 calls them so: `obj_client_info`. The game:
 * `CNetObj_De_ClientInfo`.
 */
const withoutDe = (name: string) => name.replace(/^obj_de_/, 'obj_');

/** Names that resemble a word and may have been meant by it, the most similar first. */
export function similarNames(named: readonly { readonly name: string }[], word: string): readonly string[] {
  const searched = normalized(word);
  const similar = new Map<string, number>();
  for (const { name } of named) {
    const full = normalized(name);
    const part = normalized(short(name));
    const typos = Math.min(distance(searched, full), distance(searched, part));
    if (typos <= Math.max(1, part.length / 3)) similar.set(name, typos);
    else if (searched.length > 2 && full.includes(searched)) similar.set(name, part.length - searched.length);
  }
  return [...similar].sort(([, a], [, b]) => a - b).map(([name]) => name);
}

const short = (name: string) => name.replace(/^(obj|event|sv|cl)_/, '');

const normalized = (name: string) =>
  name
    .toLowerCase()
    .replace(/^c?net(obj|event|msg)(type)?_/, '')
    .replace(/[^a-z0-9]/g, '');
