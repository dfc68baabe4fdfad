import { extendedItem, item, sizedItem } from '../../protocol/item.ts';
import {
  boolean,
  enumeration,
  flags,
  int,
  intsOf,
  list,
  type Meaning,
  type Names,
  text,
  tick,
} from '../../protocol/meaning.ts';
import { messagesOf } from '../../protocol/message-registry.ts';
import {
  lineString,
  type MessageField,
  type MessageFieldType,
  type MessageType,
  repeat,
  rest,
  strictString,
  string,
} from '../../protocol/message-type.ts';
import type { OpenBounds, Schema, Version } from '../../protocol/registry.ts';
import { uuidOfName } from '../../protocol/texts.ts';
import { evaluated } from '../python/expressions.ts';
import { readModule } from '../python/module.ts';
import { type Call, isCall, isList, isUnknown, type Module, type Note, type Value } from '../python/value.ts';
import { constantsOf, elsewhere, sharedNames } from './constants.ts';
import type { Declaration, DeclaredField } from './declared.ts';
import {
  isOfLater07,
  isSameMessage,
  isSameSize,
  knownItem,
  namedXy,
  nearestVersion,
  settled,
  shapeOf,
  sizedFrom07,
} from './known.ts';
import { fieldName, grouped, labelOf, nameOf, uniqueName } from './names.ts';

/*
 * From `network.py` to the items and messages of a protocol. python/ has turned the text into values; this file knows
 * what the calls mean, as `datasrc/compile.py` of the games does.
 *
 *   Objects = [ NetObject("Laser", [ NetIntAny("m_X"), … ]), … ]
 *                 │        │            │
 *                 │        │            └ #field: a call becomes a type of field; `m_X` becomes `x`
 *                 │        └ #declarationsOf: numbers are counted, so an element that can't be read still takes its number
 *                 └ `kinds`: object, event or message; with `Ex` it has a UUID and no number
 *
 * Order: enumerations and constants first (the constructor), since bounds are texts with their names; then the lists;
 * then the version whose items are nearest, since the games' own tables say what some fields mean (known.ts); then each
 * item with the fields of its bases.
 *
 * Everything is made twice: `declared` is what the file says, to compare files; `schema` adds what the tables know, to
 * read recordings. What isn't understood is left out with its line, never guessed: an item with a wrong size would
 * shift all that follows it in a delta.
 */

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
 * `declared` has what the file says; `schema` also what the tables of tw-snap know of a field with the same name and
 * size, such as its unit, and the messages whose fields the games write by hand.
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

const kinds: Readonly<Record<string, Declaration['kind']>> = {
  NetObject: 'object',
  NetObjectEx: 'object',
  NetEvent: 'event',
  NetEventEx: 'event',
  NetMessage: 'message',
  NetMessageEx: 'message',
};

/** The games have one base above an item; a circle of bases ends here. */
const maxBases = 8;

const closed: OpenBounds = { min: false, max: false };

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
      lists.flatMap((call) => {
        const [name] = call.args;
        const names = this.#namesOf(call);
        return typeof name === 'string' && names ? [[name, names]] : [];
      }),
    );
    this.#constants = constantsOf(lists, this.#lists, module.names.get('RawHeader'));
  }

  read() {
    const objects = this.#declarationsOf('Objects', ['object', 'event']);
    const messages = this.#declarationsOf('Messages', ['message']);
    const version = nearestVersion(objects);
    // The first of a name is the one that the sources find.
    const byName = new Map(objects.map((object) => [object.name, object] as const).reverse());
    const made = [true, false].map((isPlain): Schema => {
      return {
        items: objects.flatMap((object) => this.#item(object, byName, version, isPlain) ?? []),
        messages: messages.flatMap((message) => this.#message(message, version, isPlain) ?? []),
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
    const seen = new Map(this.#notes.map((note) => [`${note.line} ${note.text}`, note]));
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
    const labels = new Set<string>();
    const uuids = new Set<string>();
    return this.#elementsOf(list).flatMap((element): Declaration[] => {
      if (!isCall(element)) {
        numbers++;
        this.#note(
          isUnknown(element) ? element.line : 0,
          `${isUnknown(element) ? element.why : 'no declaration'}: left out of ${list}, as number ${numbers}`,
        );
        return [];
      }
      const kind = kinds[element.name];
      const isEx = /Ex$/.test(element.name);
      const [name, uuidName, fields] = isEx
        ? [argument(element, 0, 'name'), argument(element, 1, 'ex'), argument(element, 2, 'variables')]
        : [argument(element, 0, 'name'), argument(element, 2, 'ex'), argument(element, 1, 'variables')];
      const isNumbered = !isEx && typeof uuidName !== 'string';
      const number = isNumbered ? ++numbers : undefined;
      const counted = number === undefined ? '' : `, as number ${number}`;
      const refuse = (why: string) => {
        this.#note(element.line, `${why}: left out of ${list}${counted}`);
        return [];
      };
      if (!kind || !expected.includes(kind)) return refuse(`${element.name} is not known`);
      if (typeof name !== 'string') return refuse(`the name of ${element.name} is not known`);
      if (!isNumbered && !(typeof uuidName === 'string' && /^[!-~]{1,128}$/.test(uuidName)))
        return refuse(`the UUID name of ${name} is not known`);
      if (!isList(fields)) return refuse(reasonOf(fields) ?? `the fields of ${name} are not known`);
      if (number !== undefined && number > maxType) return refuse(`${name} has a number above ${maxType}`);
      const uuid = isNumbered ? undefined : (uuidName as string);
      if (uuid !== undefined && uuids.has(uuid)) return refuse(`${name} has the UUID name of another`);
      if (uuid !== undefined) uuids.add(uuid);
      const [own, base] = name.split(':') as [string, string?];
      const label = uniqueName(labelOf({ kind, name: own, uuidName: uuid }), labels);
      labels.add(label);
      return [{ kind, name: own, label, base, uuidName: uuid, number, fields, line: element.line }];
    });
  }

  // --- items ---

  #item(
    declaration: Declaration,
    byName: ReadonlyMap<string, Declaration>,
    version: Version | undefined,
    isPlain: boolean,
  ) {
    const { kind, label: name, uuidName, number: type, line } = declaration;
    const known = knownItem(version, declaration);
    const kept = type !== undefined && known?.type === type ? known : undefined;
    const inherited = this.#withBases(declaration, byName);
    if (!inherited) return kept;
    const fields = this.#fields(inherited, name, true);
    if (!fields || (fields.isCut && type !== undefined)) {
      this.#note(line, `${declaration.name} is left out${kept ? ': the one of the games is used' : ''}`);
      return kept;
    }
    const shape = shapeOf(fields.all, known, isPlain);
    const size = fields.all.reduce((sum, { type }) => sum + intsOf(type as Meaning), 0);
    if (size > maxInts) return this.#note(line, `${declaration.name} has ${size} ints: left out`);
    const isEvent = kind === 'event';
    if (uuidName !== undefined) {
      const made = extendedItem(name, uuidName, uuidOfName(uuidName), shape);
      return { ...made, event: isEvent || made.event };
    }
    const isSized =
      size === 0 || (version === '0.7' && type! >= sizedFrom07 && isOfLater07(byName.get('PlayerInfoRace')));
    return { ...(isSized ? sizedItem : item)(type!, name, shape), event: isEvent };
  }

  /** The fields of the bases, the first base first, and then its own. */
  #withBases(declaration: Declaration, all: ReadonlyMap<string, Declaration>): readonly Value[] | undefined {
    const fields = [declaration.fields];
    for (let { base, name } = declaration; base !== undefined; ) {
      const found = all.get(base);
      if (!found || fields.length > maxBases) {
        this.#note(declaration.line, `the base ${base} of ${name} is not known: ${declaration.name} is left out`);
        return undefined;
      }
      fields.unshift(found.fields);
      ({ base, name } = found);
    }
    return fields.flat();
  }

  // --- messages ---

  #message(declaration: Declaration, version: Version | undefined, isPlain: boolean): MessageType | undefined {
    const { label: name } = declaration;
    const isKnown = version !== undefined || declaration.uuidName !== undefined;
    const known = isKnown
      ? messagesOf(version ?? '0.6').all.find((type) => isSameMessage(type, declaration))
      : undefined;
    const fields = this.#fields(declaration.fields, declaration.name, false);
    // Their fields are written and read by hand.
    const isByHand = declaration.fields.length === 0;
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
      declaration.uuidName === undefined
        ? { id: declaration.number! }
        : { uuid: uuidOfName(declaration.uuidName), uuidName: declaration.uuidName };
    return { name, ...identity, system: false, fields: made, valueCounts: known?.valueCounts ?? [] };
  }

  // --- fields ---

  /** The fields up to the first that is not known: what follows it has no place then. */
  #fields(values: readonly Value[], of: string, isItem: boolean) {
    const all: DeclaredField[] = [];
    for (const value of values) {
      const field = isCall(value) ? this.#field(value, isItem) : undefined;
      if (!field) {
        const [why, line] = this.#whyNoField(value, isItem);
        this.#note(line, `${why}: the fields of ${of} end before it`);
        return { all: grouped(all, isItem), isCut: true };
      }
      all.push(field);
      if (all.length > maxInts) return undefined;
    }
    return { all: grouped(all, isItem), isCut: false };
  }

  #whyNoField(value: Value, isItem: boolean): readonly [why: string, line: number] {
    if (isUnknown(value)) return [value.why, value.line];
    return isCall(value) ? [this.#whyNot(value, isItem), value.line] : ['no field', 0];
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
    const plain = (type: MessageFieldType) => ({ type, open: closed });
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

  /**
   * A number, or a text with a constant. The constants of other files have no value; of those nobody knows there is a
   * note.
   */
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
        if (typeof value !== 'string' || (isFlags && i >= 32)) return [];
        return [[isFlags ? 2 ** i : first + i, nameOf(value.toLowerCase())]];
      }),
    );
  }
}

/** Why a value is not known, if it is one. */
function reasonOf(value: Value | undefined): string | undefined {
  if (isUnknown(value)) return value.why;
  return isCall(value) ? `${value.name} is not known` : undefined;
}

/** Where a default is that has no name: `NetIntRange("m_Jumps", -1, 255, 2)`. */
const defaultPlaces: Readonly<Record<string, number>> = { NetIntRange: 3, NetFlag: 2, NetEnum: 2, NetTwIntString: 9 };

const argument = ({ args, named }: Call, at: number, ...names: readonly string[]): Value | undefined =>
  args[at] ?? names.map((name) => named.get(name)).find((value) => value !== undefined);
