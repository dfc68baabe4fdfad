import { extendedItem, type FieldShape, type ItemType, item, sizedItem } from './item.ts';
import {
  boolean,
  clientOrNone,
  enumeration,
  flags,
  int,
  intsOf,
  list,
  type Meaning,
  type Names,
  position,
  text,
  tick,
  valueBoundsOf,
} from './meaning.ts';
import {
  lineString,
  type MessageField,
  type MessageFieldType,
  type MessageType,
  repeat,
  rest,
  strictString,
  string,
} from './message.ts';
import { evaluated } from './python/expressions.ts';
import { readModule } from './python/module.ts';
import { type Call, isCall, isList, isUnknown, type Module, type Note, type Value } from './python/value.ts';
import { messagesOf, type OpenBounds, protocolOf, type Schema, type Version } from './registry.ts';
import { uuidOfName } from './texts.ts';

/** The largest number of a type, and the ints in 64 KiB, the largest snapshot. */
const [maxType, maxInts] = [0x3fff, 1 << 14];

/**
 * Reads `datasrc/network.py`, in which the games and their mods declare their protocol. The text is parsed, not run.
 *
 * ```python
 * Objects = [
 *   NetObject("Laser", [ NetIntAny("m_X"), … ]),                       # numbered: 1, 2, 3, …
 *   NetEvent("Explosion:Common", []),                                  # with the fields of Common before its own
 *   NetObjectEx("DDNetLaser", "laser@netobj.ddnet.tw", [ … ]),         # by UUID
 * ]
 * Messages = [ NetMessage("Sv_Motd", [ NetString("m_pMessage") ]), … ]
 * ```
 *
 * `declared` has what the file says; `schema` also what the tables of tw-snap know of a field with the same name and size, such as its
 * unit, and the messages whose fields the games write by hand.
 *
 * Source: `datasrc/datatypes.py` and `datasrc/compile.py` of Teeworlds 0.5 to 0.7 and DDNet.
 *
 * @throws SyntaxProblem where nothing more can be read
 */
export function readDeclarations(source: string): { readonly schema: Schema; readonly declared: Schema } {
  return new Declarations(readModule(source)).read();
}

/** Whether a text is `network.py` rather than JSON. */
export const isNetworkPy = (text: string): boolean =>
  !/^\s*[{[]/.test(text) && /^(?:Objects|Messages)\b[^\n]*=/m.test(text.replace(/\r/g, '\n'));

/** An item or message as it is declared. */
interface Declaration {
  readonly kind: 'object' | 'event' | 'message';
  readonly name: string;
  readonly base: string | undefined;
  readonly uuidName: string | undefined;
  /** Undefined for one with a UUID. */
  readonly number: number | undefined;
  readonly fields: readonly Value[];
  readonly line: number;
}

/** A field. In an item, `type` never holds bytes or strings. */
interface DeclaredField {
  readonly name: string;
  readonly type: MessageFieldType;
  readonly absent?: number | undefined;
  /** Whether it has a default. */
  readonly isOptional: boolean;
  /** The bounds that are constants of another file. */
  readonly open: OpenBounds;
}

const kinds: Readonly<Record<string, Declaration['kind']>> = {
  NetObject: 'object',
  NetObjectEx: 'object',
  NetEvent: 'event',
  NetEventEx: 'event',
  NetMessage: 'message',
  NetMessageEx: 'message',
};

/** The constants of the sources that are not in the file and the same everywhere. */
const sharedConstants: readonly (readonly [string, number])[] = [
  ['min_int', -(2 ** 31)],
  ['max_int', 2 ** 31 - 1],
  ['MIN_TICK', 0],
  ['MAX_TICK', 0x6fffffff],
  ['WEAPON_GAME', -3],
  ['WEAPON_SELF', -2],
  ['WEAPON_WORLD', -1],
  ['TuneZone::OVERRIDE_NONE', -1],
  ['FinishTime::UNSET', -2],
  ['FinishTime::NOT_FINISHED_MILLIS', -1],
];

/** Those that each mod sets in another file: what they bound is not known. */
const elsewhere: ReadonlySet<string> = new Set([
  ...['MAX_CLIENTS', 'NUM_WEAPONS', 'NUM_SOUNDS', 'NUM_TUNEZONES', 'TuneZone::NUM'],
]);

/** The games have one base above an item; a circle of bases ends here. */
const maxBases = 8;

const unsized = { min: false, max: false };

class Declarations {
  readonly #module: Module;
  readonly #notes: Note[];
  readonly #constants: ReadonlyMap<string, number>;
  readonly #lists: Readonly<Record<string, Names>>;
  readonly #unresolved = new Set<string>();
  readonly #open = new Map<object, OpenBounds>();

  constructor(module: Module) {
    this.#module = module;
    this.#notes = [...module.notes];
    const lists = ['Enums', 'Flags'].flatMap((name) => this.#elementsOf(name)).filter(isCall);
    this.#lists = Object.fromEntries(
      lists.flatMap((one) => {
        const [name] = one.args;
        const names = this.#namesOf(one);
        return typeof name === 'string' && names ? [[name, names]] : [];
      }),
    );
    this.#constants = constantsOf(lists, this.#lists, module.names.get('RawHeader'));
  }

  read() {
    const objects = this.#declarationsOf('Objects', ['object', 'event']);
    const messages = this.#declarationsOf('Messages', ['message']);
    const version = nearestVersion(objects);
    const made = [true, false].map((isPlain): Schema => {
      const items = objects.flatMap((one) => this.#item(one, objects, version, isPlain) ?? []);
      return {
        items: unique(items, ({ name, type, uuid }) => [name, uuid ?? type]),
        messages: unique(
          messages.flatMap((one) => this.#message(one, version, isPlain) ?? []),
          ({ name, id, uuid }) => [name, uuid ?? id],
        ),
        ...(version && { version }),
        lists: this.#lists,
        open: this.#open,
      };
    });
    const leftOut = this.#sortedNotes();
    return { declared: { ...made[0]!, leftOut }, schema: { ...made[1]!, leftOut } };
  }

  /** Each line once, since the fields of a base are read for each item that has it. */
  #sortedNotes(): readonly Note[] {
    const seen = new Map(this.#notes.map((one) => [`${one.line} ${one.text}`, one]));
    return [...seen.values()].sort((a, b) => a.line - b.line);
  }

  #note(line: number, text: string): undefined {
    this.#notes.push({ line, text });
  }

  #elementsOf(name: string): readonly Value[] {
    const found = this.#module.names.get(name);
    if (isUnknown(found)) this.#note(found.line, `${name}: ${found.why}`);
    return isList(found) ? found : [];
  }

  #declarationsOf(list: string, expected: readonly Declaration['kind'][]): readonly Declaration[] {
    let numbers = 0;
    return this.#elementsOf(list).flatMap((one): Declaration[] => {
      if (!isCall(one)) {
        numbers++;
        this.#note(
          isUnknown(one) ? one.line : 0,
          `${isUnknown(one) ? one.why : 'no declaration'}: left out of ${list}, as number ${numbers}`,
        );
        return [];
      }
      const kind = kinds[one.name];
      const isEx = /Ex$/.test(one.name);
      const [name, uuidName, fields] = isEx
        ? [argument(one, 0, 'name'), argument(one, 1, 'ex'), argument(one, 2, 'variables')]
        : [argument(one, 0, 'name'), argument(one, 2, 'ex'), argument(one, 1, 'variables')];
      const isNumbered = !isEx && typeof uuidName !== 'string';
      const number = isNumbered ? ++numbers : undefined;
      const counted = number === undefined ? '' : `, as number ${number}`;
      const refuse = (why: string) => {
        this.#note(one.line, `${why}: left out of ${list}${counted}`);
        return [];
      };
      if (!kind || !expected.includes(kind)) return refuse(`${one.name} is not known`);
      if (typeof name !== 'string') return refuse(`the name of ${one.name} is not known`);
      if (!isNumbered && !(typeof uuidName === 'string' && /^[!-~]{1,128}$/.test(uuidName)))
        return refuse(`the UUID name of ${name} is not known`);
      if (!isList(fields)) return refuse(`the fields of ${name} are not known`);
      if (number !== undefined && number > maxType) return refuse(`${name} has a number above ${maxType}`);
      const [own, base] = name.split(':') as [string, string?];
      const uuid = isNumbered ? undefined : (uuidName as string);
      return [{ kind, name: own, base, uuidName: uuid, number, fields, line: one.line }];
    });
  }

  // --- items ---

  #item(one: Declaration, all: readonly Declaration[], version: Version | undefined, isPlain: boolean) {
    const { kind, uuidName, number: type, line } = one;
    const name = itemName(one);
    const known = version && knownItem(version, one);
    const inherited = this.#withBases(one, all);
    if (!inherited) return type === undefined ? undefined : known;
    const fields = this.#fields(inherited, name, true);
    if (!fields || (fields.isCut && type !== undefined)) {
      const kept = known && type !== undefined ? ': the one of the games is used' : '';
      return this.#note(line, `${one.name} is left out${kept}`) ?? (kept ? known : undefined);
    }
    const shape = shapeOf(fields.all, known, isPlain);
    const size = fields.all.reduce((sum, { type }) => sum + intsOf(type as Meaning), 0);
    if (size > maxInts) return this.#note(line, `${one.name} has ${size} ints: left out`);
    const isEvent = kind === 'event';
    if (uuidName !== undefined) {
      const made = extendedItem(name, uuidName, uuidOfName(uuidName), shape);
      return { ...made, event: isEvent || made.event };
    }
    const isSized = size === 0 || (version === '0.7' && type! >= sizedFrom07 && all.some(isOfLater07));
    return { ...(isSized ? sizedItem : item)(type!, name, shape), event: isEvent };
  }

  /** The fields of the bases, the first base first, and then its own. */
  #withBases(one: Declaration, all: readonly Declaration[]): readonly Value[] | undefined {
    const fields = [one.fields];
    for (let { base, name } = one; base !== undefined; ) {
      const found = all.find((other) => other.name === base);
      if (!found || fields.length > maxBases) {
        this.#note(one.line, `the base ${base} of ${name} is not known: ${one.name} is left out`);
        return undefined;
      }
      fields.unshift(found.fields);
      ({ base, name } = found);
    }
    return fields.flat();
  }

  // --- messages ---

  #message(one: Declaration, version: Version | undefined, isPlain: boolean): MessageType | undefined {
    const name = nameOf(one.name.toLowerCase());
    const known = version && messagesOf(version).all.find((type) => isSameMessage(type, one, name));
    const fields = this.#fields(one.fields, one.name, false);
    // Their fields are written and read by hand.
    const isByHand = one.fields.length === 0;
    // A number without a use keeps its meaning for older recordings.
    if (/^unused/.test(name) && isByHand) return isPlain ? undefined : known;
    if (known && isByHand && !isPlain) return known;
    if (!fields) return undefined;
    const types = isPlain ? fields.all : namedXy(fields.all, false);
    let isOptional = false;
    const made = types.map((field): MessageField => {
      isOptional ||= field.isOptional;
      const same = known?.fields.find((other) => other.name === field.name && isSameSize(other.type, field.type));
      return { name: field.name, type: settled(field, same?.type, isPlain), optional: isOptional };
    });
    if (fields.isCut) made.push({ name: 'rest', type: rest, optional: isOptional });
    const identity =
      one.uuidName === undefined ? { id: one.number! } : { uuid: uuidOfName(one.uuidName), uuidName: one.uuidName };
    return { name, ...identity, system: false, fields: made, valueCounts: known?.valueCounts ?? [] };
  }

  // --- fields ---

  /** The fields up to the first that is not known: what follows it has no place then. */
  #fields(values: readonly Value[], of: string, isItem: boolean) {
    const all: DeclaredField[] = [];
    for (const value of values) {
      const field = isCall(value) ? this.#field(value, isItem) : undefined;
      if (!field) {
        const why = isUnknown(value) ? value.why : isCall(value) ? this.#whyNot(value, isItem) : 'no field';
        this.#note(isUnknown(value) || isCall(value) ? value.line : 0, `${why}: the fields of ${of} end before it`);
        return { all: grouped(all, isItem), isCut: true };
      }
      all.push(field);
      if (all.length > maxInts) return undefined;
    }
    return { all: grouped(all, isItem), isCut: false };
  }

  #whyNot({ name, args }: Call, isItem: boolean): string {
    if (isItem && /^NetString/.test(name)) return `${name} is for messages`;
    const undecided = args.find(isUnknown);
    return undecided ? undecided.why : `${name} is not known`;
  }

  #field(call: Call, isItem: boolean): DeclaredField | undefined {
    const { name: type } = call;
    if (type === 'NetArray') return this.#array(call, isItem);
    const name = argument(call, 0, 'name');
    if (typeof name !== 'string') return undefined;
    const known = this.#typeOf(call, isItem);
    if (!known) return undefined;
    const preset = argument(call, defaultPlaces[type] ?? 1, 'default');
    const absent = preset === undefined || preset === null ? undefined : this.#number(preset, call.line);
    return { name: fieldName(name), ...known, absent, isOptional: preset !== undefined && preset !== null };
  }

  #array(call: Call, isItem: boolean): DeclaredField | undefined {
    const [of, size] = [argument(call, 0, 'var'), argument(call, 1, 'size')];
    const field = isCall(of) ? this.#field(of, isItem) : undefined;
    const times = typeof size === 'string' ? this.#number(size, call.line) : size;
    if (!field || typeof times !== 'number' || times < 1 || times > maxInts) return undefined;
    const { type } = field;
    // The elements of a list in a list are as many ints one after the other.
    if (type.kind === 'list') return { ...field, type: list(times * type.count, type.of) };
    if (type.kind === 'repeat') return { ...field, type: repeat(times * (type.times as number), type.of) };
    return { ...field, type: isItem ? list(times, type as Meaning) : repeat(times, type) };
  }

  #typeOf(call: Call, isItem: boolean): Pick<DeclaredField, 'type' | 'open'> | undefined {
    const plain = (type: MessageFieldType) => ({ type, open: unsized });
    const second = call.args[1];
    switch (call.name) {
      case 'NetIntAny':
        return plain(int());
      case 'NetIntRange':
        return this.#range(argument(call, 1, 'min_val', 'min'), argument(call, 2, 'max_val', 'max'), call.line);
      case 'NetBool':
        return plain(boolean);
      case 'NetTick':
        return plain(tick);
      case 'NetTickStrict':
        return plain({ kind: 'tick', min: 0, max: 0x6fffffff });
      case 'NetFlag':
      case 'NetEnum': {
        const names = isCall(second) ? this.#namesOf(second) : undefined;
        return names && plain(call.name === 'NetFlag' ? flags(names) : enumeration(names));
      }
      case 'NetTwIntString': {
        const isSize = typeof second === 'number' && second > 0 && second <= 4 * maxInts && second % 4 === 0;
        return isSize ? plain(text(second / 4)) : undefined;
      }
      case 'NetString':
        return isItem ? undefined : plain(string);
      case 'NetStringHalfStrict':
        return isItem ? undefined : plain(lineString);
      case 'NetStringStrict':
        return isItem ? undefined : plain(strictString);
      default:
        return undefined;
    }
  }

  #range(
    from: Value | undefined,
    to: Value | undefined,
    line: number,
  ): Pick<DeclaredField, 'type' | 'open'> | undefined {
    if (from === undefined || to === undefined || isUnknown(from) || isUnknown(to)) return undefined;
    const [low, high] = [this.#number(from, line), this.#number(to, line)];
    const open = { min: low === undefined, max: high === undefined };
    const [min, max] = [low === -(2 ** 31) ? undefined : low, high === 2 ** 31 - 1 ? undefined : high];
    const names = this.#namesBetween(from, to, low, high);
    if (typeof to === 'string' && /^\s*MAX_CLIENTS\s*-\s*1\s*$/.test(to) && low !== undefined && low <= 0) {
      return { type: { kind: 'client', min: low, ...(names && { names }) }, open };
    }
    const type = int(min, max, names);
    if (open.min || open.max) this.#open.set(type, open);
    return { type, open };
  }

  /** The names of an enumeration of whose constants a bound is one, as far as they are within the bounds. */
  #namesBetween(from: Value, to: Value, low?: number, high = Number.POSITIVE_INFINITY): Names | undefined {
    if (low === undefined) return undefined;
    const counted = typeof to === 'string' ? /^\s*NUM_(\w+)S\s*-\s*1\s*$/.exec(to)?.[1] : undefined;
    const [prefix = counted && `${counted}_`] = [from, to].flatMap(
      (bound) => (typeof bound === 'string' && /^\s*([A-Z]+_)[A-Z]\w*\s*$/.exec(bound)?.[1]) || [],
    );
    if (prefix === undefined || /^(?:NUM|MAX|MIN)_$/.test(prefix)) return undefined;
    const all = [...this.#constants].filter(
      ([name, value]) => name.startsWith(prefix) && value >= low && value <= high && !sharedNames.has(name),
    );
    if (all.length === 0) return undefined;
    // The first of equal values is the one that the sources use.
    return Object.fromEntries(
      all.reverse().map(([name, value]) => [value, nameOf(name.slice(prefix.length).toLowerCase())]),
    );
  }

  /** A number, or a text with a constant. The constants of other files have no value; of those nobody knows there is a note. */
  #number(value: Value, line: number): number | undefined {
    if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) <= 2 ** 32 ? value : undefined;
    if (typeof value !== 'string') return undefined;
    const found = evaluated(value, this.#constants);
    if (found !== undefined) return found;
    const words = value.match(/[A-Za-z_][\w:]*/g) ?? [];
    const missing = words.find((word) => !this.#constants.has(word) && !elsewhere.has(word));
    if (missing === undefined || this.#unresolved.has(missing)) return undefined;
    this.#unresolved.add(missing);
    return this.#note(line, `${missing} is not in this file: bounds and defaults of it are left out`);
  }

  /** The names of an `Enum` or `Flags`, by their numbers. */
  #namesOf(call: Call): Names | undefined {
    const values = argument(call, 1, 'values');
    const isFlags = call.name === 'Flags';
    if (!isList(values) || !(isFlags || call.name === 'Enum')) return undefined;
    const start = argument(call, 2, 'start');
    const first = typeof start === 'number' ? start : 0;
    return Object.fromEntries(
      values.flatMap((value, i) => {
        if (typeof value !== 'string') return [];
        return [[isFlags ? 2 ** i : first + i, nameOf(value.toLowerCase())]];
      }),
    );
  }
}

/** Where a default is that has no name: `NetIntRange("m_Jumps", -1, 255, 2)`. */
const defaultPlaces: Readonly<Record<string, number>> = { NetIntRange: 3, NetFlag: 2, NetEnum: 2, NetTwIntString: 9 };

const argument = ({ args, named }: Call, at: number, ...names: readonly string[]): Value | undefined =>
  args[at] ?? names.map((name) => named.get(name)).find((value) => value !== undefined);

const sharedNames: ReadonlySet<string> = new Set(sharedConstants.map(([name]) => name));

/** The values of names: of the enumerations and flags, and of the C enumerations in `RawHeader`. */
function constantsOf(
  lists: readonly Call[],
  names: Readonly<Record<string, Names>>,
  header: Value | undefined,
): ReadonlyMap<string, number> {
  const constants = new Map(sharedConstants);
  for (const { args, name: kind } of lists) {
    const [name] = args;
    if (typeof name !== 'string') continue;
    const values = Object.entries(names[name] ?? {});
    for (const [value, one] of values) constants.set(`${name}_${one.toUpperCase()}`, Number(value));
    if (kind === 'Enum' && values.length > 0)
      constants.set(`NUM_${name}S`, Math.max(...values.map(([value]) => Number(value))) + 1);
  }
  if (typeof header !== 'string') return constants;
  const code = header.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  for (const [, body] of code.matchAll(/\benum\b[^{};]*\{([^}]*)\}/g)) {
    let next = 0;
    for (const entry of body!.split(',')) {
      const [, name, text] = /^\s*([A-Za-z_]\w*)\s*(?:=([\s\S]*))?$/.exec(entry) ?? [];
      if (name === undefined) continue;
      const value = text === undefined ? next : evaluated(text.trim(), constants);
      if (value === undefined) break;
      constants.set(name, value);
      next = value + 1;
    }
  }
  for (const [, name, text] of code.matchAll(/^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)[ \t]+([^\n]+)$/gm)) {
    const value = evaluated(text!.trim(), constants);
    if (value !== undefined) constants.set(name!, value);
  }
  return constants;
}

// --- names ---

/** A name as the tables have it: `a-z`, `0-9` and `_`, a letter first. */
function nameOf(text: string): string {
  const plain = text.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  return (/^[a-z]/.test(plain) ? plain : `n${plain.startsWith('_') ? '' : '_'}${plain}`).slice(0, 64);
}

/** `HookTick` → `hook_tick`, `DDNetLaser` → `ddnet_laser`, `ClientID` → `client_id` */
const snake = (name: string) =>
  nameOf(
    name
      .replace(/DD(?=Net|Race)/, 'Dd')
      .replace(/Dd(Net|Race)/, (_, word: string) => `Dd${word.toLowerCase()}`)
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2'),
  );

/** `m_aaSkinPartNames` → `skin_part_names` */
const fieldName = (name: string) => snake(name.replace(/^m_(?:a|p|ap|aa|b|f)?(?=[A-Z])/, '').replace(/^m_(?=.)/, ''));

function itemName({ kind, name, uuidName }: Declaration): string {
  const prefix = uuidName !== undefined ? '' : kind === 'event' ? 'event_' : 'obj_';
  return `${prefix}${snake(name)}`.slice(0, 64);
}

/** Items and messages are found by their names and numbers: the first one with each is kept. */
function unique<Type>(all: readonly Type[], keysOf: (one: Type) => readonly unknown[]): readonly Type[] {
  const seen = new Set<unknown>();
  return all.filter((one) => {
    const keys = keysOf(one);
    const isNew = keys.every((key) => !seen.has(key));
    if (isNew) for (const key of keys) seen.add(key);
    return isNew;
  });
}

/** `m_Name0`, `m_Name1`, … are a list. Fields with one name get a number, since each has its own ints. */
function grouped(fields: readonly DeclaredField[], isItem: boolean): readonly DeclaredField[] {
  const all: DeclaredField[] = [];
  for (let at = 0; at < fields.length; ) {
    const field = fields[at]!;
    const stem = /^(.*[a-z])_?0$/.exec(field.name)?.[1];
    let count = 0;
    const isNext = (one: DeclaredField | undefined) =>
      one !== undefined &&
      [`${stem}${count}`, `${stem}_${count}`].includes(one.name) &&
      one.type.kind === field.type.kind &&
      one.isOptional === field.isOptional;
    if (stem !== undefined) while (isNext(fields[at + count])) count++;
    const isList = count > 1 && !/^(list|repeat|text)$/.test(field.type.kind);
    if (isList) {
      const type = isItem ? list(count, field.type as Meaning) : repeat(count, field.type);
      all.push({ ...field, name: stem!, type });
    } else all.push(field);
    at += isList ? count : 1;
  }
  const seen = new Map<string, number>();
  return all.map((field) => {
    const times = (seen.get(field.name) ?? 0) + 1;
    seen.set(field.name, times);
    return times === 1 ? field : { ...field, name: `${field.name}_${times}`.slice(-64) };
  });
}

// --- what the tables know ---

/** From this type on, deltas of 0.7 carry sizes, since 0.7.4 brought the items of races. */
const sizedFrom07 = 23;
const isOfLater07 = ({ name, number }: Declaration) => name === 'PlayerInfoRace' && number === sizedFrom07;

/** The version that has most of the numbered items, and under these numbers; undefined if none has any. */
function nearestVersion(objects: readonly Declaration[]): Version | undefined {
  const numbered = objects.filter(({ number }) => number !== undefined);
  const alike = (version: Version) => {
    const known = numbered.map((one) => [one, knownItem(version, one)] as const).filter(([, item]) => item);
    return known.length + known.filter(([one, item]) => item!.type === one.number).length;
  };
  // Where several fit as well, it is the version of most mods.
  const counts = (['0.6', '0.7', '0.5'] as const).map((version) => ({ version, count: alike(version) }));
  const best = counts.reduce((a, b) => (b.count > a.count ? b : a));
  return best.count > 0 ? best.version : undefined;
}

function knownItem(version: Version, one: Declaration): ItemType | undefined {
  if (one.uuidName !== undefined) return protocolOf(version).byUuid(uuidOfName(one.uuidName));
  const known = protocolOf(version).byName(itemName(one));
  return known?.type === undefined ? undefined : known;
}

const isSameMessage = (type: MessageType, { uuidName, number }: Declaration, name: string) => {
  if (uuidName !== undefined) return type.uuid === uuidOfName(uuidName);
  return !type.system && type.uuid === undefined && (/^unused/.test(name) ? type.id === number : type.name === name);
};

/** The number of ints, or of other values. */
const sizeOf = (type: MessageFieldType): number => {
  if (type.kind === 'repeat') return typeof type.times === 'number' ? type.times * sizeOf(type.of) : Number.NaN;
  return type.kind === 'list' ? type.count * sizeOf(type.of) : type.kind === 'text' ? type.ints : 1;
};

const innerKind = (type: MessageFieldType): string =>
  type.kind === 'list' || type.kind === 'repeat' ? innerKind(type.of) : type.kind;
const isSameSize = (a: MessageFieldType, b: MessageFieldType) =>
  sizeOf(a) === sizeOf(b) && (innerKind(a) === 'string') === (innerKind(b) === 'string');

function shapeOf(fields: readonly DeclaredField[], known: ItemType | undefined, isPlain: boolean): FieldShape {
  const all = isPlain ? fields : namedXy(fields, true);
  return Object.fromEntries(
    all.map((field) => {
      const same = known?.fields.find(({ name, meaning }) => name === field.name && isSameSize(meaning, field.type));
      const meaning = settled(field, same?.meaning, isPlain) as Meaning;
      const absent = field.absent ?? (field.isOptional ? (same?.defaultValue ?? 0) : undefined);
      return [field.name, absent === undefined ? meaning : [meaning, absent]];
    }),
  );
}

/** The habits of the games: `m_X` and `m_Y` of an item are its position, `m_aName` of four ints is a text. */
function namedXy(fields: readonly DeclaredField[], isItem: boolean): readonly DeclaredField[] {
  if (!isItem) return fields;
  const isAny = ({ type }: DeclaredField) => type.kind === 'int' && type.min === undefined && type.max === undefined;
  const hasXy = ['x', 'y'].every((name) => fields.some((field) => field.name === name && isAny(field)));
  return fields.map((field) => {
    if (hasXy && /^[xy]$/.test(field.name)) return { ...field, type: position };
    const ints = textInts[field.name];
    const isText = field.type.kind === 'list' && field.type.of.kind === 'int' && field.type.count === ints;
    return isText ? { ...field, type: text(ints!) } : field;
  });
}

const textInts: Readonly<Record<string, number>> = { name: 4, clan: 3, skin: 6 };

/** An int between two constants of an enumeration is one of its values. */
const asEnumeration = (type: MessageFieldType) =>
  type.kind === 'int' && type.names && type.names[type.min!] !== undefined && type.names[type.max!] !== undefined
    ? enumeration(type.names)
    : type;

/**
 * The type of a field, of which the tables have one with its name and size. What it means is known from there, which values it has
 * from the declaration.
 */
function settled(
  { type, open }: DeclaredField,
  known: MessageFieldType | undefined,
  isPlain: boolean,
): MessageFieldType {
  if (isPlain) return type;
  if (known === undefined) return asEnumeration(type);
  const bounds = valueBoundsOf(known as Meaning);
  const isBounded = type.kind === 'int' && (type.min !== undefined || type.max !== undefined);
  switch (known.kind) {
    case 'int':
    case 'amount': {
      if (type.kind !== 'int') return type;
      const { min = known.min, max = open.max ? known.max : undefined } = isBounded ? type : known;
      return { ...known, min, max } as Meaning;
    }
    case 'boolean':
      return type.kind === 'int' && isBounded && !(type.min === 0 && type.max === 1) ? type : known;
    case 'enum': {
      if (type.kind === 'enum') return type;
      const isWithin = type.kind !== 'int' || type.max === undefined || (bounds && type.max <= bounds.max + 1);
      return isWithin
        ? known
        : int((type as Meaning & { kind: 'int' }).min, (type as Meaning & { kind: 'int' }).max, known.names);
    }
    case 'flags':
      return type.kind === 'flags' ? type : known;
    case 'client':
      return type.kind === 'client' && type.min !== known.min
        ? { ...clientOrNone, min: type.min, ...(type.names && { names: type.names }) }
        : known;
    default:
      return known;
  }
}
