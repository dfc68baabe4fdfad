import type { Cause } from '../../src/analysis/explain/hypothesis.ts';

/*
 * The rules of `explain` as data: `docs/explain.md` has its tables from here. To each cause that the bytes can show
 * belongs the question what else makes these bytes: a sender, a proxy, a mod, damage, or the reader's own tables. What
 * something tells apart is ruled out by the code; where nothing does, the statement says only what all have in common,
 * and names them as "either … or …".
 */

/** Something else that makes the same bytes, and what tells it apart: undefined if nothing does. */
interface Rival {
  readonly makes: string;
  readonly apart?: string;
}

interface Rule {
  /** What the server does: the end of a sentence that begins with "the server". */
  readonly does: string;
  /** What the bytes have where it is shown; undefined for what only ever fits. */
  readonly bytes?: string;
  readonly rivals?: readonly Rival[];
}

const firstFault = { makes: 'an item whose id has a flipped bit', apart: 'a new item needs a second failure' };
const sumOfZero = 'no other item of the type may have the sum 0';

export const causeRules: Readonly<Record<Cause, Rule>> = {
  duplicate_key: {
    does: 'has two items with one type and id: both are in its checksum, the client keeps the last',
    bytes: 'a delta with the key twice, and a sum that has both items',
    rivals: [
      { makes: 'two deltas that are joined', apart: 'the sum has the item of the base once: `updated_twice`' },
      firstFault,
      { makes: 'a proxy that gives an item the id of another one' },
    ],
  },
  removed_unchanged: {
    does: 'lists an item as removed that it goes on counting: a full bucket of keys, or a filter after the checksum',
    bytes: 'the next right snapshot, which has the item as it was',
    rivals: [
      { makes: 'a checksum that counts what was removed, of an item that comes back as it was' },
      { makes: 'another item of the type with the same values', apart: 'there is none' },
      { makes: 'an event that is like the one before', apart: 'events show nothing' },
    ],
  },
  sent_in_full: {
    does: "sends an item in full although the base contains it: the client adds it to the base's item",
    bytes: 'all ints of the base, or ints like them, and the next right snapshot with these or near them',
    rivals: [
      { makes: 'an update of another item', apart: 'the key is not removed: else `removed_and_updated`' },
      { makes: 'a difference to another item that has only zeros', apart: sumOfZero },
      { makes: 'a new item that gets the id of another one', apart: 'the next right snapshot still has it' },
      {
        makes: 'a base that lacks the item',
        apart: 'the base had a checksum, has all that is removed, and has an item like the one that is sent',
      },
    ],
  },
  removed_and_updated: {
    does: 'lists a key as removed and updates it',
    bytes: 'the delta, and a sum without the item of the base',
    rivals: [
      { makes: 'an item that is sent in full' },
      { makes: 'an update of another item, whose id a proxy, a mod or a flipped bit has changed' },
    ],
  },
  updated_twice: {
    does: 'or a proxy updates a key twice, and both differences are counted',
    bytes: 'the delta, and a sum with both differences',
    rivals: [
      { makes: 'two deltas that are joined' },
      { makes: 'an update of another item, whose id a proxy, a mod or a flipped bit has changed' },
      { makes: 'two items with one key', apart: 'the sum would have the item of the base twice' },
    ],
  },
  other_size: {
    does: 'has another size for a type: that of another protocol or of a mod, or one that it sends',
    bytes: 'an item that carries another size, in two deltas; two deltas that make sense and sum only with it',
    rivals: [
      { makes: 'a flipped bit in a type, the next type, or the id before the type', apart: 'no item of the base fits' },
      { makes: 'ints that a program adds after items', apart: 'the sum is another one without them' },
      { makes: 'a sound reading by chance', apart: 'a second failure with another difference' },
      { makes: 'bytes that a program in text mode has added', apart: 'they are taken out first: `text_mode`' },
    ],
  },
  mixed_parts: {
    does: 'sends parts of different snapshots, one part twice, or parts of other sizes than 900 bytes',
    bytes: 'parts that make the sum in another order, two parts with the same bytes, or old bytes where a delta breaks',
    rivals: [
      {
        makes: 'static items that are sent in full each time',
        apart: 'three of them have changed in the next snapshot',
      },
      { makes: 'an old state, sent whole', apart: 'not all parts are old' },
    ],
  },
  wrong_base: {
    does: 'computes the delta from another snapshot than the announced base',
    bytes: 'a delta that makes the sum on another snapshot, and has the items there as the next right one has them',
    rivals: [
      { makes: 'one item that is wrong by itself', apart: 'no item alone makes the difference' },
      { makes: 'one of a hundred bases with this sum by chance', apart: 'two items of the next right snapshot' },
    ],
  },
  no_base: {
    does: 'announces a base that was never sent, that the client dropped, that is too old, or of the map before',
    bytes: 'the ticks of the snapshots',
    rivals: [{ makes: 'a base that was lost before the capture', apart: 'no gap around its tick' }],
  },
  unregistered: {
    does: 'uses an extended item without its registration',
    bytes: 'three snapshots in a row',
    rivals: [
      { makes: 'a registration that is late', apart: 'it comes within two snapshots' },
      { makes: 'a filter that drops the registration' },
    ],
  },
  too_large: {
    does: 'sends more than 1,024 items or 64 KiB, or has reached that limit',
    bytes: 'the snapshot',
  },
  other_huffman: {
    does: 'compresses packets with another Huffman table, or encrypts them',
    bytes: 'compressed packets without sense, and at most one in four with',
    rivals: [{ makes: 'damage', apart: 'so many are hardly damaged' }],
  },
  senseless: {
    does: 'or something else at its address sends compressed packets that make no sense',
    bytes: "packets that can't be read to their end, beside others",
    rivals: [
      { makes: 'another Huffman table' },
      { makes: 'encryption' },
      { makes: 'damage' },
      { makes: 'a capture that keeps the first bytes of packets', apart: 'the capture has whole packets' },
    ],
  },
  packed_twice: {
    does: 'or a proxy compresses packets twice',
    bytes: 'two packets that make sense if they are decompressed once more',
  },
  two_servers: {
    does: 'is one of two behind one address',
    bytes: 'ticks of two sequences in turn, three times',
    rivals: [{ makes: 'a change of the map, or packets that come late', apart: 'the ticks come back' }],
  },
  text_mode: {
    does: 'or a program in text mode puts a byte 0d before each 0a',
    bytes: 'the announced sum without these bytes',
  },
  other_formula: {
    does: 'computes the checksum otherwise: of 16 bits, negated, as a CRC-32, with the keys, of the change alone',
    bytes: 'two checksums that are not alike, and both are computed so',
    rivals: [
      { makes: 'items that are not counted', apart: 'all 32 bits are the same twice; the first items alone only fit' },
    ],
  },
  damaged: {
    does: 'or the network flips a bit',
    bytes: 'one bit without which a delta makes sense and the sum; never at the same place each time',
    rivals: [
      { makes: 'a server that counts one wrongly', apart: 'it is not the lowest bit' },
      { makes: 'another key of a new item', apart: 'it is in no key of one' },
      { makes: 'any other cause', apart: 'none explains a quarter by the bytes, or half by sums' },
    ],
  },
  unreadable: {
    does: 'damages, loses or misplaces bytes, or writes them otherwise than clients read them',
    bytes: "deltas that can't be read to their end; not all at the same place",
    rivals: [{ makes: 'damage' }, { makes: 'a server that writes otherwise' }],
  },
  not_removed: { does: 'drops an item without listing it as removed' },
  not_sent: {
    does: 'counts an item that it does not send, or whose new state it does not send: a filter after the checksum, an item that was not updated',
  },
  old_state: {
    does: 'counts an item as it was in the base, in the snapshot before, or before the failures: a change after the checksum',
  },
  not_counted: { does: 'does not count an item, the items of a type, the new ones, or the extended ones' },
  other_checksum: { does: 'announces the checksum of an earlier snapshot' },
  other_item: { does: 'takes the difference of an item from another item of the base' },
  shifted_fields: { does: 'sends the fields of an item one place too early or too late' },
  sign: { does: 'sends differences of an item, of a type, or of one of its ints with the other sign' },
  two_faults: { does: 'does two of these at once: of removed and updated items, or one on another base' },
};
