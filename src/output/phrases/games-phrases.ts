import type { Code } from '../../wire/bytes/diagnostic.ts';

// The page says what causes are, and not this: it does not carry the table.

/**
 * What DDNet does with what no game sends over a connection, by its code, and what Teeworlds does where that is something
 * else. `docs/formats/tolerated.md` says it of all cases; a test compares the first one there that has the code.
 */
const deeds: Partial<Record<Code, readonly [ddnet: string, teeworlds?: string]>> = {
  truncated_message: [
    'dropped; tune params and teams are read up to there',
    'dropped; a text that is missing at the end is read as empty',
  ],
  unterminated_string: ['dropped'],
  negative_count: ['dropped'],
  excess_bytes: ['ignored'],
  out_of_bounds: ['dropped'],
  unknown_message: ['dropped'],
  wrong_direction: ['ignored: a system message as an unknown one, one of the game after it is read'],
  wrong_flag: ['dropped', 'dropped: it knows no UUIDs'],
  reserved_message: ['ignored'],
  other_version_message: ['read as the message with this number'],
  unshifted_message: ['read as the message with half the number'],
  out_of_place: ['ignored, but ready is answered with con_ready', 'ignored'],
  bad_parts: ['dropped'],
  packet_too_large: ['lost, or cut by the socket to the first 1,400 bytes, which are read'],
  payload_too_large: ['refused'],
  packet_excess: ['ignored; without a valid token the packet is dropped', 'ignored'],
  packet_padding: ['read as a packet of 0.7', 'ignored by 0.6.5'],
  chunks_in_control: ['refused from 19.4', 'accepted'],
  accept_token: [
    'not looked at; servers of DDNet send its bytes in the order of their memory',
    'not looked at; its servers repeat none',
  ],
  mostly_rejected: ['dropped'],
  changed_chunk: ['the first one that arrives in its turn counts; one that comes early is dropped'],
  changed_part: ['the last counts'],
  excess_ints: ['ignored'],
};

/** `DDNet and Teeworlds: ignored`: what the games do with something that a connection has; undefined if no table says. */
export function gamesText(code: Code): string | undefined {
  const [ddnet, teeworlds] = deeds[code] ?? [];
  if (!ddnet) return undefined;
  return teeworlds ? `DDNet: ${ddnet}; Teeworlds: ${teeworlds}` : `DDNet and Teeworlds: ${ddnet}`;
}
