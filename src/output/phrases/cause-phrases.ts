import type { Suspect } from '../../analysis/explain/checksum-results.ts';
import type { ItemReference, Verdict } from '../../analysis/explain/explanation.ts';
import type { Cause, NamedItem } from '../../analysis/explain/hypothesis.ts';
import { type Protocol, protocolOf, versions } from '../../wire/protocol/registry.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { quotedName } from '../text/escape.ts';
import { count, thousands } from '../text/number.ts';

export interface CauseText {
  readonly title: string;
  readonly meaning: string;
  /** The part of a server's code that its author should check. */
  readonly whereToLook: string;
}

/** What is said of a verdict; `fits` is the number of failures that it explains. */
type SaidVerdict = Pick<Verdict, 'cause' | 'numbers' | 'about' | 'field' | 'areAlternatives' | 'fits' | 'isShown'>;

/** `obj_character 3 "nameless tee"` */
export const itemText = (item: ItemReference): string =>
  `${nameText(item)}${item.player === undefined ? '' : ` ${quotedName(item.player)}`}`;

const maxNamed = 5;

function itemsText(items: readonly ItemReference[], last: 'and' | 'or'): string {
  const shown = items.slice(0, maxNamed).map(itemText);
  const more = items.length - shown.length;
  if (more > 0) return `${shown.join(', ')} ${last} ${count(more, 'more item')}`;
  return shown.length < 2 ? (shown[0] ?? 'an item') : `${shown.slice(0, -1).join(', ')} ${last} ${shown.at(-1)}`;
}

/** What the texts of a cause are made from. */
interface SaidCause extends SaidVerdict {
  readonly items: readonly ItemReference[];
  readonly protocol: Protocol;
  readonly subject: string;
  readonly isPlural: boolean;
  /** The verb of the subject: `has` of what is shown, `have` if there are several, `may have` of what only fits. */
  readonly verb: (singular: string, plural: string, base?: string) => string;
}

/** What the line of a suspect says: its items in words, and whether they are several. */
interface ShownSuspect extends Suspect {
  readonly item: string;
  readonly isPlural: boolean;
}

function lackingText(about: string, subject: string, type: number | undefined, protocol: Protocol): string {
  if (type !== undefined) return `all items of ${typeName(type, protocol)}`;
  if (about.startsWith('item')) return subject;
  if (about === 'new') return 'the items that the base lacks';
  return about === 'extended' ? 'the extended items' : 'the extended items and their registrations';
}

interface CauseTexts {
  /** A short name: what it would mean, in a list of fits. */
  readonly name: string;
  readonly text: (said: SaidCause) => CauseText;
  /** Its line beside a single failure. */
  readonly suspect?: (shown: ShownSuspect) => string;
}

const baseTexts: Readonly<Record<string, string>> = {
  never_sent: 'were never sent',
  dropped: 'the client dropped for their checksums',
  too_old: 'are older than three seconds',
  impossible: 'are not before them',
  other_map: 'are of the map before',
};

const readShifted: Omit<CauseText, 'title'> = {
  meaning: 'the delta is read with a shift from the first such item on',
  whereToLook: 'the tables of item sizes: server and client must agree, and a type without a size sends it',
};

/** Of an item that carries its size: what was sent is known, and not why. */
const sizeCarried: Omit<CauseText, 'title'> = {
  meaning: 'the item carries its size, so that it can be read; the bytes do not tell why it has this one',
  whereToLook: 'the size that is sent with the item, and its type: it may be the item of another type',
};

const formulaTexts: Readonly<Record<string, string>> = {
  zero: '0, as that of the empty snapshot',
  negated: 'the sum of the ints with the other sign',
  inverted: 'the sum of the ints with all bits inverted',
  low_16: 'the lowest 16 bits of the sum',
  low_16_signed: 'the lowest 16 bits of the sum, as a signed number',
  swapped_bytes: 'the sum of the ints with its bytes in reverse order',
  xor: 'the exclusive or of the ints, not their sum',
  with_keys: 'the sum of the ints and of the keys of the items',
  with_sizes: 'the sum of the ints and of the sizes of the items in ints',
  of_bytes: 'the sum of the bytes of the ints, not of the ints',
  crc_32: 'the CRC-32 of the ints, little-endian, not their sum',
  crc_32_of_delta: 'the CRC-32 of the delta as it was sent, not the sum of the ints',
  change: 'the change from the checksum of the base, not the whole sum',
};

const fullLookup = 'a full list or hash of keys in CreateDelta (64 keys per bucket in DDNet until August 2022)';

const causes: Readonly<Record<Cause, CauseTexts>> = {
  duplicate_key: {
    name: 'an item that is counted once more than sent',
    text: ({ subject, verb, items, isShown }) => {
      const calls = `two calls of SnapNewItem with the same type and id in one tick${numbersOf(items)}`;
      const [it, occurs] = items.length > 1 ? ['them', 'they occur'] : ['it', 'it occurs'];
      // Where the delta has the key once, an item that only the checksum has twice makes the same bytes and the same
      // sum.
      return isShown
        ? {
            title: `${subject} ${verb('is', 'are')} sent twice, and counted twice`,
            meaning: 'the server adds both to its checksum, the client keeps only the last',
            whereToLook: `${calls}, or a proxy that gives an item the id of another one`,
          }
        : {
            title: `${subject} may be counted once more than sent: ${occurs} twice, or the checksum counts ${it} twice`,
            meaning: 'of two items with one key the client keeps the last',
            whereToLook: `${calls}; or the loop that adds items to the checksum`,
          };
    },
    suspect: ({ item, isPlural }) =>
      `${item} ${isPlural ? 'are' : 'is'} counted once more than sent: the checksums agree with that`,
  },
  removed_unchanged: {
    name: 'an item that is listed as removed, but counted',
    text: ({ subject, verb, items, isShown }) => {
      const lookup = `${fullLookup}, or a filter of items for the client after the checksum`;
      const it = items.length > 1 ? 'them' : 'it';
      // Whether the item is still there, only the next right snapshot shows.
      return isShown
        ? {
            title: `${subject} ${verb('is', 'are')} listed as removed, though counted, and unchanged in the next right snapshot`,
            meaning:
              'the client drops what the server goes on counting: it did not find the key while it made the delta',
            whereToLook: lookup,
          }
        : {
            title: `${subject} may be counted though listed as removed: the server still has ${it}, or its checksum counts what was removed`,
            meaning: 'the client drops what the server goes on counting',
            whereToLook: `${lookup}; or a checksum that is not taken of the items that are sent`,
          };
    },
    suspect: ({ item, isPlural }) =>
      `${item} ${isPlural ? 'were' : 'was'} removed: the checksums agree with ${isPlural ? 'them' : 'it'}`,
  },
  sent_in_full: {
    name: 'an item sent in full though the base has it',
    text: ({ subject, verb, isPlural }) => ({
      title: `${subject} ${verb('is', 'are', 'be')} sent in full, though the base has ${isPlural ? 'them' : 'it'}`,
      meaning: "the client takes the values for differences and adds them to the base's",
      whereToLook: `${fullLookup}, or an id that a new item gets while clients still have the old one`,
    }),
    suspect: ({ item, isPlural }) =>
      `${item} ${isPlural ? 'were' : 'was'} sent in full: the checksums agree without what the base ${isPlural ? 'have' : 'has'}`,
  },
  removed_and_updated: {
    name: 'a key that is removed and updated',
    text: ({ subject, verb, isPlural }) => {
      const [it, update] = isPlural ? ['they are', 'the updates are'] : ['it is', 'the update is'];
      return {
        title: `${subject} ${verb('is', 'are', 'be')} removed and updated at once: either ${it} sent in full, or ${update} of another item`,
        meaning: "the client adds the values to those of the base's item, which the server does not count",
        whereToLook: `a proxy or a mod that changes ids, or a flipped bit in one; ${fullLookup}, or an id that a new item gets while clients still have the old one`,
      };
    },
  },
  updated_twice: {
    name: 'a key that is updated twice',
    text: ({ subject, verb }) => ({
      title: `${subject} ${verb('is', 'are', 'be')} updated twice in one delta: either two deltas are joined, or one of the updates is of another item`,
      meaning: 'the checksum has both differences, the client keeps the last',
      whereToLook: 'a proxy that joins deltas, or one that changes ids; a flipped bit in an id',
    }),
  },
  other_size: {
    name: 'a type with another size',
    text: (shown) => ({
      title: sizeTitle(shown),
      ...(shown.numbers.found === undefined ? readShifted : sizeCarried),
    }),
    suspect: ({ item, numbers = {} }) =>
      `${item} came with ${count(numbers.found ?? 0, 'int')}; it has ${numbers.expected}`,
  },
  mixed_parts: { name: 'parts that do not belong together', text: partsText },
  wrong_base: {
    name: 'another base than announced',
    text: ({ numbers, fits, isShown }) => ({
      title:
        fits > 1 || numbers.base === undefined
          ? `deltas ${isShown ? 'were' : 'may be'} made from other snapshots than the announced bases`
          : `the delta ${isShown ? 'was' : 'may be'} made from ${numbers.base === -1 ? 'the empty snapshot' : `the snapshot of tick ${numbers.base}`}, not from the announced base`,
      meaning: 'the client adds differences to another snapshot than the server took them from',
      whereToLook: 'the tick that is announced with a delta, and the snapshot that CreateDelta is given',
    }),
  },
  unregistered: {
    name: 'a UUID item without registration',
    text: ({ numbers, fits }) => ({
      title: `type ${numbers.type} is used without its registration`,
      meaning: `${fits === 0 ? 'the checksum is right, but a' : 'a'} client does not know what the item is`,
      whereToLook: `the item of type 0 with id ${numbers.type}: it has to be in every snapshot that uses the type`,
    }),
    suspect: ({ items }) => `type ${items[0]?.type} is not registered`,
  },
  too_large: { name: 'a snapshot at the limits', text: tooLargeText },
  unreadable: {
    name: 'deltas that clients cannot read',
    text: unreadableText,
    suspect: () => 'the delta cannot be read',
  },
  damaged: {
    name: 'damaged bytes',
    text: damagedText,
    suspect: ({ field, item, numbers = {} }) => `${field} of ${item} became ${numbers.value}, which no game sends`,
  },
  text_mode: {
    name: 'bytes written in text mode',
    text: ({ fits }) => ({
      title: `${fits > 1 ? `${thousands(fits)} deltas have` : 'the delta has'} a byte 0d before each 0a, as programs in text mode write them`,
      meaning: `without these bytes ${fits > 1 ? 'they have' : 'it has'} the announced checksum`,
      whereToLook: 'files and pipes that are opened in text mode, as on Windows without the flag for binary ones',
    }),
  },
  not_removed: {
    name: 'an item that is gone, but not listed as removed',
    text: ({ subject }) => ({
      title: `${subject} may be gone on the server, but not listed as removed`,
      meaning: 'the client goes on counting what the server has dropped',
      whereToLook: 'how the list of removed keys is made',
    }),
    suspect: ({ item }) => `${item} stayed: the checksums agree without it`,
  },
  not_counted: {
    name: 'items that are not in the announced checksum',
    text: ({ numbers, about, protocol, subject }) => ({
      title: `the announced checksum may lack ${lackingText(about, subject, numbers.type, protocol)}`,
      meaning: 'the client is sent items that the server does not count',
      whereToLook: 'items that are added to the snapshot or translated after its checksum',
    }),
  },
  not_sent: {
    name: 'an item that is counted, but not sent',
    text: ({ subject, isPlural }) => ({
      title: `${subject} may be counted as the next right snapshot has ${isPlural ? 'them' : 'it'}, but not sent`,
      meaning: 'the delta leaves the item out, or sends an old state of it, or other ints',
      whereToLook: 'a filter of items for a client after the checksum, and items that are not updated before the delta',
    }),
  },
  old_state: {
    name: 'an item that is counted as it was earlier',
    text: ({ subject, about, isPlural }) => ({
      title: `${subject} may be counted as ${isPlural ? 'they were' : 'it was'} ${about.startsWith('previous') ? 'one snapshot earlier' : about.startsWith('base') ? 'in the base' : 'before the failures'}`,
      meaning: 'the checksum and the delta are made from different states of the item',
      whereToLook:
        'a change of the item after the checksum is taken, or an item that the checksum takes from an old snapshot',
    }),
    suspect: ({ item }) => `${item} was updated: the checksums agree without that`,
  },
  other_checksum: {
    name: 'the checksum of another snapshot',
    text: ({ numbers }) => ({
      title: `the announced checksum may be that of ${numbers.before === 1 ? 'the snapshot before' : `the snapshot ${numbers.before} before`}`,
      meaning: 'the snapshot itself is right; its checksum is out of date',
      whereToLook:
        'where the checksum is computed: before the snapshot of this tick is complete, or kept from the last one',
    }),
  },
  other_formula: {
    name: 'a checksum that is computed otherwise',
    text: ({ about, numbers: { first }, verb }) => ({
      title: `the announced checksum ${verb('is', 'is', 'be')} ${formulaTexts[about] ?? `that of the first ${first === undefined ? 'items' : count(first, 'item')} alone`}`,
      meaning: 'clients add all ints of all items, in 32 bits that wrap; another checksum they refuse',
      whereToLook: 'the loop that adds the ints, and the type of its sum: CSnapshot::Crc in the games',
    }),
  },
  other_item: {
    name: "another item's base",
    text: ({ items }) => ({
      title: `the difference of ${itemText(items[0]!)} may be taken from ${items[1] ? itemText(items[1]) : 'another item'} of the base`,
      meaning: 'the client adds it to its own item',
      whereToLook: 'how CreateDelta finds the past item: by its key, not by its index',
    }),
  },
  shifted_fields: {
    name: 'fields that are one place off',
    text: ({ numbers, subject }) => ({
      title: `the fields of ${subject} may be one place too ${numbers.step === 1 ? 'early' : 'late'}`,
      meaning: "ints that did not change appear in their neighbour's place",
      whereToLook:
        'the layout of the item: a field that was added or removed, and the pointer from which its ints are copied',
    }),
  },
  sign: {
    name: 'differences with the other sign',
    text: (shown) => ({
      title: `${signSubject(shown)} may have the other sign in the delta`,
      meaning: 'the client moves the value away from where it should go',
      whereToLook: 'the subtraction in the delta: the new value minus the one of the base',
    }),
  },
  two_faults: {
    name: 'two faults together',
    text: ({ subject, about }) => ({
      title: `two faults together may make the sum, with ${subject}: ${about
        .replace(/ .*/, '')
        .split('+')
        .map((cause) => causeName(cause as Cause))
        .join(', and ')}`,
      meaning: 'the next right snapshot agrees with both; a sum of two fits more easily than one',
      whereToLook: 'the list of removed keys, and what each of the two would need by itself',
    }),
  },
  no_base: {
    name: 'a base that the client never had',
    text: ({ numbers, about }) => ({
      title: `deltas refer to bases that ${baseTexts[about]}, as ${numbers.base}`,
      meaning: 'the client has to drop them, and asks for a full snapshot',
      whereToLook: 'the tick that is announced as the base: it has to be one that the client acknowledged',
    }),
  },
  two_servers: {
    name: 'two servers behind one address',
    text: () => ({
      title: 'the ticks of two servers come by turns, from one address',
      meaning: 'a client takes the snapshots of one for those of the other, and drops most of them',
      whereToLook: 'what forwards the packets: a proxy, a load balancer, or two servers at one port',
    }),
  },
  other_huffman: {
    name: 'another Huffman table',
    text: ({ numbers: { packets = 0, compressed = 0 } }) => ({
      title: `${thousands(packets)} of ${count(compressed, 'compressed packet')} make no sense with the Huffman table of the games`,
      meaning: 'what is read from them is noise, also where it looks like messages',
      whereToLook: 'the table of frequencies of the Huffman code, and whether packets are encrypted',
    }),
  },
  senseless: {
    name: 'packets that make no sense',
    text: ({ numbers: { packets = 0, compressed = 0 } }) => ({
      title: `no sense in ${thousands(packets)} of ${count(compressed, 'compressed packet')}: compressed with another Huffman table, encrypted, or damaged`,
      meaning: 'what is read from them is noise, also where it looks like messages; the others can be read',
      whereToLook: 'what else sends from this address, and what writes to the packets on their way',
    }),
  },
  packed_twice: {
    name: 'packets that are compressed twice',
    text: ({ numbers: { packets = 0, compressed = 0 } }) => ({
      title: `${thousands(packets)} of ${count(compressed, 'compressed packet')} are compressed twice: they make sense if they are decompressed once more`,
      meaning: 'the games decompress once, and drop what they read then',
      whereToLook: 'a proxy that compresses what is compressed already, without a look at the flag of the packet',
    }),
  },
};

export const causeName = (cause: Cause): string => causes[cause].name;

export function causeText(verdict: SaidVerdict, items: readonly ItemReference[], protocol: Protocol): CauseText {
  const { cause, areAlternatives, isShown } = verdict;
  const subject = areAlternatives ? `one of ${itemsText(items, 'or')}` : itemsText(items, 'and');
  const isPlural = items.length > 1 && !areAlternatives;
  const verb = (singular: string, plural: string, base = plural) =>
    isShown ? (isPlural ? plural : singular) : `may ${base}`;
  return causes[cause].text({ ...verdict, items, protocol, subject, isPlural, verb });
}

const maxSuspects = 3;

export function suspectText(suspect: Suspect): string {
  const { cause, items } = suspect;
  const more = items.length > maxSuspects ? `, and ${count(items.length - maxSuspects, 'more item')}` : '';
  const item = items.slice(0, maxSuspects).map(nameText).join(', ') + more;
  const text = causes[cause].suspect ?? (() => `${item}: ${causeName(cause)}`);
  return text({ ...suspect, item, isPlural: items.length > 1 });
}

/** `: SnapNewItem(20, id 2)` for a numbered type. */
function numbersOf(items: readonly ItemReference[]): string {
  const [item] = items;
  return item && items.length === 1 ? `: type ${item.type}, id ${item.id}` : '';
}

function sizeTitle({ numbers, items, protocol, isShown, about }: SaidCause): string {
  const { type = 0, size, found } = numbers;
  const mixed = versions.find((version) => version === about);
  if (mixed)
    return `items ${isShown ? 'have' : 'may have'} the sizes of ${mixed}, though the connection is of ${protocol.version}`;
  const name = items[0]?.label ?? typeName(type, protocol);
  if (found !== undefined)
    return `${name} came with ${count(found, 'int')}; ${protocol.version} has ${numbers.expected}`;
  const agreed = protocol.sizeOf(type);
  const has = (base: string, third: string) => (isShown ? third : `may ${base}`);
  if (size === undefined) return `${name} ${has('have', 'has')} another size here`;
  if (size === 0)
    return `${name} ${has('carry', 'carries')} its size here; ${protocol.version} has no size there, but always ${count(agreed, 'int')}`;
  const others = versions.filter((version) => protocolOf(version).sizeOf(type) === size);
  const as = others.length > 0 ? `, as in ${others.join(' and ')}` : '';
  const sizes =
    agreed === 0 ? `${count(size, 'int')}, and no size before them` : `${size} instead of ${count(agreed, 'int')}`;
  return `${name} ${has('have', 'has')} another size here: ${sizes}${as}`;
}

function partsText({ about, numbers, isShown }: SaidVerdict): CauseText {
  const part = numbers.part === undefined ? 'a part' : `part ${numbers.part + 1}`;
  const verb = (third: string, base: string) => (isShown ? third : `may ${base}`);
  const title =
    about === 'exchanged'
      ? numbers.part === undefined || numbers.with === undefined
        ? `two parts of the snapshot ${verb('have', 'have')} each other's number`
        : `parts ${numbers.part + 1} and ${numbers.with + 1} of the snapshot ${verb('have', 'have')} each other's number`
      : about === 'lost'
        ? 'no snapshot of several parts is complete: one of them never comes'
        : about === 'short'
          ? `${part} of the snapshot has ${numbers.bytes === undefined ? 'another size' : count(numbers.bytes, 'byte')}; all but the last have to have 900`
          : about === 'of_next'
            ? `${part} ${verb('belongs', 'belong')} to another snapshot: the one that came before makes the sum right`
            : about === 'twice'
              ? `${numbers.part === undefined || numbers.with === undefined ? 'two parts' : `parts ${numbers.part + 1} and ${numbers.with + 1}`} of the snapshot have the same bytes`
              : `${part} ${verb('holds', 'hold')} what the snapshot before had in its place`;
  const meaning =
    about === 'short'
      ? 'clients put part N at byte 900 × N: they read old bytes between the parts, and the parts after it shifted'
      : about === 'lost'
        ? 'a client waits for the part, and never has a snapshot'
        : 'the client joins bytes that are not of one delta';
  return { title, meaning, whereToLook: 'the buffer of the packed delta, and how it is cut into parts of 900 bytes' };
}

function tooLargeText({ numbers, about, fits }: SaidVerdict): CauseText {
  const { found = 0, limit = 0 } = numbers;
  const what = about === 'snapshot_too_large' || about === 'bytes' ? 'bytes' : 'items';
  if (found > limit) {
    return {
      title: `the snapshot has ${thousands(found)} ${what}; a client takes ${thousands(limit)}`,
      meaning: 'the client refuses the snapshot, and asks for a full one, which is refused as well',
      whereToLook: 'the limits of the snapshot builder: 1,024 items, 64 KiB',
    };
  }
  return {
    title: `the snapshot is full: ${thousands(found)} ${what}`,
    meaning: `${fits === 0 ? 'the checksum is right, but the' : 'the'} builder silently drops what comes after`,
    whereToLook: 'the code that adds most items, and the items added last',
  };
}

function damagedText({ numbers: { byte, bit }, field, fits, items, isShown }: SaidCause): CauseText {
  const where = itemsText(items, 'or');
  const isKnown = items.length > 0;
  const place = byte === undefined ? '' : `: bit ${bit} of byte ${byte} of the delta`;
  const are = (third: string) => (isShown ? third : 'may be');
  const title =
    fits > 1
      ? `${count(fits, 'delta')} ${are('are')} damaged${isKnown ? `, as in ${where}` : ''}`
      : `a bit ${are('is')} flipped in ${!isKnown ? 'the delta' : field === undefined ? where : `${field} of ${where}`}${place}`;
  const meaning = `with a bit flipped back, ${fits > 1 ? 'they have' : 'it has'} the announced checksum`;
  return {
    title,
    meaning,
    whereToLook: 'what writes to the packed delta or the packet; UDP itself drops damaged packets',
  };
}

function unreadableText({ numbers: { unreadable = 1 }, fits, items, isShown }: SaidCause): CauseText {
  const where = items.length > 0 ? `, from ${itemsText(items, 'or')} on at the latest` : '';
  const said = isShown ? "can't be read to the end" : 'may be damaged, or written otherwise than clients read deltas';
  const flipped = fits - unreadable;
  const rest = flipped > 0 ? `; with a bit flipped back, ${thousands(flipped)} more have the announced checksum` : '';
  return {
    title: `${unreadable > 1 ? count(unreadable, 'delta') : 'the delta'} ${said}${where}`,
    meaning: `bytes are damaged, lost or misplaced, or the server writes them otherwise than clients read them${rest}`,
    whereToLook:
      'what writes to the packed delta or the packet, and the order of the ints in CreateDelta; UDP drops damaged packets',
  };
}

/** `obj_character 3` */
export const nameText = ({ label, id }: NamedItem): string => `${label} ${id}`;

const typeName = (type: number, protocol: Protocol): string => new ItemTypes(protocol).nameOf(type);

/** `the differences of obj_character 3`, `int 2 of obj_character` */
function signSubject({ numbers, items, protocol }: SaidCause): string {
  const { type, int } = numbers;
  if (type === undefined) return itemsText(items, 'and');
  const name = typeName(type, protocol);
  return int === undefined ? `all items of ${name}` : `int ${int} of ${name}`;
}
