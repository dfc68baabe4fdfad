import { int } from './meaning.ts';
import { extendedGame, extendedSystem, type MessageType, optional, rawUuid, sha256, string } from './message.ts';
import { uuidOfName } from './texts.ts';

/** How clients and bots introduce themselves: without a value, or with a version as text. */
const introduction = <const Name extends string>(name: Name, uuidName: string) =>
  extendedSystem(name, uuidName, uuidOfName(uuidName), { version: optional(string) });

/**
 * The messages with a UUID by which clients, bots and servers beside DDNet introduce themselves. Nobody has a table of them; the games
 * ignore those they do not know.
 *
 * Source: the names in the public sources of each, in 2026-11; the values in those of InfClass, TaterClient and DDNet++.
 */
export const modMessages = () =>
  [
    introduction('i_am_aiodob', 'i-am-aiodob@qxdFox.github.io'),
    introduction('i_am_bestclient', 'i-am-bestclient@bestclient.fun'),
    introduction('i_am_cactus', 'iamcactus@denchik.top'),
    introduction('i_am_chillerbot', 'i-am-chillerbot@chillerbot.github.io'),
    introduction('i_am_fex', 'i-am-fex@faffa81.github.io'),
    introduction('i_am_npm_package', 'i-am-npm-package@swarfey.gitlab.io'),
    introduction('i_am_pulse', 'i-am-pulse@pulse-client.xyz'),
    introduction('i_am_qxd', 'i-am-qxd@qxdFox.github.io'),
    introduction('i_am_sclient', 'i-am-sclient@sclient.site'),
    introduction('i_am_tater', 'iamtater@sjrc6.github.io'),
    introduction('i_am_teeworlds_network', 'i-am-teeworlds_network@chillerdragon.github.io'),
    extendedSystem('tater_checksum_request', ...named('checksum-request@sjrc6.github.io'), { id: rawUuid }),
    extendedSystem('tater_checksum_response', ...named('checksum-response@sjrc6.github.io'), { id: rawUuid, sha256 }),
    extendedSystem('infclass_version', ...named('clientver@infclass'), { infclass_version: int(0) }),
    extendedGame('sv_ddnetplusplus', ...named('ddnet-plus-plus@zillyhuhn.com'), {
      ...{ flags: int(), flags2: int(), allow_flags: int() },
      version: string,
    }),
  ] as const satisfies readonly MessageType[];

function named(uuidName: string) {
  return [uuidName, uuidOfName(uuidName)] as const;
}
