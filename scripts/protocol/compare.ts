import * as enums from '../../src/protocol/enums.ts';
import { type Meaning, type Names, valueBoundsOf } from '../../src/protocol/meaning.ts';
import type { MessageFieldType } from '../../src/protocol/message.ts';
import { messagesOf, protocolOf, type Version } from '../../src/protocol/registry.ts';
import { uuidOfName } from '../../src/protocol/texts.ts';

/** What read-sources.py prints. */
export interface Sources {
  readonly '0.6': Tables;
  readonly '0.7'?: Tables;
  readonly system: readonly string[];
}
interface Tables {
  readonly items: readonly SourceType[];
  readonly messages: readonly SourceType[];
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly flags: Readonly<Record<string, readonly string[]>>;
}
interface SourceType {
  readonly name: string;
  readonly event: boolean;
  readonly uuid_name: string | null;
  readonly fields: readonly SourceField[];
}
interface SourceField {
  readonly name: string;
  readonly kind: string;
  readonly count: readonly number[];
  readonly min?: string;
  readonly max?: string;
  readonly default?: string;
}

/** A field of an item or message, with its values one by one. */
interface Ours {
  readonly name: string;
  readonly meaning: MessageFieldType;
  readonly count: number;
  readonly absent?: number | undefined;
}

const maxInt = 2 ** 31 - 1;
/** The constants of the sources in bounds and defaults. */
const constants: Readonly<Record<string, number>> = {
  ...{ max_int: maxInt, min_int: -maxInt - 1, MAX_CLIENTS: 128, NUM_WEAPONS: 6, NUM_SOUNDS: 41, NUM_EMOTICONS: 16 },
  ...{ TEAM_SPECTATORS: -1, TEAM_RED: 0, TEAM_BLUE: 1, FLAG_MISSING: -3, SPEC_FREEVIEW: -1, WEAPON_GAME: -3 },
  ...{ NUM_SPECMODES: 4, NUM_CHATS: 4, MIN_TICK: 0, MAX_TICK: 0x6fffffff, AUTHED_NO: 0, AUTHED_ADMIN: 3 },
  ...{ 'TuneZone::OVERRIDE_NONE': -1, 'TuneZone::NUM': 256, 'FinishTime::UNSET': -2, NUM_TUNEZONES: 256 },
  ...{ 'FinishTime::NOT_FINISHED_MILLIS': -1, SAVESTATE_PENDING: 0, SAVESTATE_ERROR: 4, False: 0, True: 1 },
};

function numberOf(text: string): number {
  const [, name, less] = /^(.*?)(-1)?$/.exec(text) as unknown as [string, string, string?];
  if (/^-?\d+$/.test(text)) return Number(text);
  return (constants[name] ?? Number.NaN) - (less ? 1 : 0);
}

const snake = (name: string) =>
  name
    .replace('DDRace', 'Ddrace')
    .replace('DDNet', 'Ddnet')
    .replace(/^m_(?:a|p|ap|aa)?(?=[A-Z])/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

/** Those of other versions: a release candidate of DDNet 16.2, and the games before DDNet. */
const ofOthers: ReadonlySet<string> = new Set(['ddnet_character_display_info', 'sv_extraprojectile']);

const differences: string[] = [];
const report = (where: string, what: string) => differences.push(`${where}: ${what}`);

/** Messages whose fields the sources write by hand. */
const byHand = /^(sv_tuneparams|sv_extraprojectile|cl_isddnetlegacy|sv_teamsstate|sv_gamemsg|sv_voteoptionlistadd)/;

function compareFields(where: string, theirs: readonly SourceField[], ours: readonly Ours[]): void {
  for (let i = 0; i < Math.max(theirs.length, ours.length); i++) {
    const [their, our] = [theirs[i], ours[i]];
    if (!their) report(where, `${our!.name} is not in the source`);
    else if (!our) report(where, `${snake(their.name)} is missing`);
    else compareField(`${where}.${our.name}`, their, our);
  }
}

function compareField(where: string, their: SourceField, our: Ours): void {
  const name = snake(their.name);
  const plural = `${our.name}`;
  if (name !== plural && name !== plural.replaceAll('_', '')) report(where, `is ${name} in the source`);
  const count = their.count.reduce((all, one) => all * one, 1);
  if (count !== our.count) report(where, `has ${our.count} values, ${count} in the source`);
  const absent = their.default === undefined ? undefined : numberOf(their.default);
  if (absent !== our.absent && !(our.meaning.kind === 'boolean' && absent === 0))
    report(where, `default ${our.absent ?? 'none'}, ${their.default ?? 'none'} in the source`);
  compareStrings(where, their, our.meaning);
  const isAny = their.min === undefined || their.kind === 'NetTick';
  const bounds = valueBoundsOf(our.meaning as Meaning);
  // Names and flags say what values mean, also where the games accept any.
  const isNamed = our.meaning.kind === 'enum' || our.meaning.kind === 'boolean';
  // The ticks of 0.7 are not negative; where they may be, the table has no bounds.
  if (their.kind === 'NetTick' && (bounds?.min ?? 0) === 0) return;
  const [min, max] = isAny ? [-maxInt - 1, maxInt] : [numberOf(their.min!), numberOf(their.max!)];
  if (our.meaning.kind === 'flags' || our.meaning.kind === 'text' || our.meaning.kind === 'enum_by') return;
  if (isNamed ? isAny || (bounds!.min >= min && bounds!.max <= max) : false) return;
  const [ourMin, ourMax] = [bounds?.min ?? -maxInt - 1, bounds?.max ?? maxInt];
  if (ourMin !== min || ourMax !== max)
    report(where, `${rangeText(ourMin, ourMax)}, ${rangeText(min, max)} in the source`);
}

const rangeText = (min: number, max: number) =>
  min <= -maxInt && max === maxInt ? 'any int' : `${min <= -maxInt ? '' : min}..${max === maxInt ? '' : max}`;

const sanitising: Readonly<Record<string, string>> = {
  NetString: 'none',
  NetStringHalfStrict: 'controls',
  NetStringStrict: 'controls_and_spaces',
};

function compareStrings(where: string, { kind }: SourceField, meaning: MessageFieldType): void {
  if ((meaning.kind === 'string') !== kind.startsWith('NetString'))
    report(where, `is ${meaning.kind}, ${kind} in the source`);
  if (meaning.kind !== 'string') return;
  const ours = meaning.sanitised ?? 'none';
  if (ours !== sanitising[kind]) report(where, `sanitised: ${ours}, ${sanitising[kind]} in the source`);
}

function oursOf(name: string, type: MessageFieldType, absent?: number): Ours {
  if (type.kind === 'list')
    return { ...oursOf(name, type.of), count: type.count * oursOf(name, type.of).count, absent };
  if (type.kind === 'repeat') {
    const { meaning } = oursOf(name, type.of);
    return { name, meaning, count: typeof type.times === 'number' ? type.times : 1 };
  }
  const count = type.kind === 'text' ? type.ints : 1;
  return { name, meaning: type, count, absent };
}

/** The sources list texts one by one: `m_pDescription0`. */
const compareVersion = (version: Version, { items, messages, enums: lists, flags }: Tables) => {
  const protocol = protocolOf(version);
  const all = messagesOf(version).all;
  const numbered = items.filter(({ uuid_name }) => uuid_name === null);
  const known = new Set<unknown>();
  for (const one of items) {
    const where = `${version} ${one.uuid_name ?? one.name}`;
    const number = numbered.indexOf(one) + 1;
    const our = one.uuid_name ? protocol.byUuid(uuidOfName(one.uuid_name)) : protocol.byType(number);
    known.add(our);
    if (!our) {
      report(where, 'is missing');
      continue;
    }
    const name = `${one.uuid_name ? '' : one.event ? 'event_' : 'obj_'}${snake(one.name)}`
      .replace('dd_net', 'ddnet')
      .replace('dd_race', 'ddrace');
    if (name !== our.name) report(where, `is called ${our.name}`);
    if (our.uuidName !== (one.uuid_name ?? undefined)) report(where, `has the UUID name ${our.uuidName}`);
    compareFields(
      `${version} ${our.name}`,
      one.fields,
      our.fields.map((field) => oursOf(field.name, field.meaning, field.defaultValue)),
    );
  }
  for (const one of protocol.items) {
    const isOther = one.type === 0 || (version === '0.7' && one.uuid !== undefined);
    if (!known.has(one) && !isOther && !ofOthers.has(one.name)) report(version, `${one.name} is not in the source`);
  }
  const numberedMessages = messages.filter(({ uuid_name }) => uuid_name === null);
  for (const one of messages) {
    const name = one.name.toLowerCase();
    if (name.startsWith('unused')) continue;
    const number = numberedMessages.indexOf(one) + 1;
    const uuid = one.uuid_name && uuidOfName(one.uuid_name);
    const our = all.find((type) => (uuid ? type.uuid === uuid : !type.system && type.id === number));
    known.add(our);
    if (!our) report(`${version} ${name}`, 'is missing');
    else if (our.name !== name) report(`${version} ${name}`, `is called ${our.name}`);
    else if (!byHand.test(name))
      compareFields(
        `${version} ${name}`,
        one.fields,
        our.fields.map((field) => oursOf(field.name, field.type, field.optional ? 0 : undefined)),
      );
  }
  for (const one of all) {
    const isOther = one.system || (version === '0.7' && one.uuid !== undefined);
    if (!known.has(one) && !isOther && !ofOthers.has(one.name))
      report(version, `message ${one.name} is not in the source`);
  }
  for (const [name, values] of Object.entries({ ...lists, ...flags }))
    compareNames(version, name, values, name in flags);
};

/** Where the names of each list of a version are. */
const listNames: Readonly<Record<string, Names>> = {
  '0.6 EMOTE': enums.emote,
  '0.6 POWERUP': enums.powerup,
  '0.6 EMOTICON': enums.emoticon,
  '0.6 AUTHED': enums.authLevel,
  '0.6 ENTITYCLASS': enums.entityClass,
  '0.6 LASERTYPE': enums.laserType,
  '0.6 LASERDRAGGERTYPE': enums.laserSubtypes[4],
  '0.6 LASERGUNTYPE': enums.laserSubtypes[5],
  '0.6 PLAYERFLAG': enums.playerFlags06,
  '0.6 GAMEFLAG': enums.gameFlags06,
  '0.6 GAMESTATEFLAG': enums.gameStateFlags06,
  '0.6 CHARACTERFLAG': enums.characterFlags,
  '0.6 GAMEINFOFLAG': enums.gameInfoFlags,
  '0.6 GAMEINFOFLAG2': enums.gameInfoFlags2,
  '0.6 EXPLAYERFLAG': enums.exPlayerFlags,
  '0.6 PROJECTILEFLAG': enums.projectileFlags,
  '0.6 LEGACYPROJECTILEFLAG': enums.legacyProjectileFlags,
  '0.6 LASERFLAG': enums.laserFlags,
  '0.6 PICKUPFLAG': enums.pickupFlags,
  '0.7 PICKUP': enums.pickup,
  '0.7 EMOTE': enums.emote,
  '0.7 EMOTICON': enums.emoticon,
  '0.7 PLAYERFLAG': enums.playerFlags07,
  '0.7 GAMEFLAG': enums.gameFlags07,
  '0.7 GAMESTATEFLAG': enums.gameStateFlags07,
  '0.7 COREEVENTFLAG': enums.coreEventFlags,
  '0.7 RACEFLAG': enums.raceFlags,
};

function compareNames(version: Version, list: string, values: readonly string[], isFlags: boolean): void {
  const ours = listNames[`${version} ${list}`];
  if (!ours) return;
  const sized =
    list === 'GAMEINFOFLAG2' && !values.includes('OLD_LASER') ? { ...ours, 2048: 'supports_128_teams' } : ours;
  const theirs = Object.fromEntries(values.map((value, i) => [isFlags ? 2 ** i : i, value.toLowerCase()]));
  for (const key of new Set([...Object.keys(theirs), ...Object.keys(sized)])) {
    const [our, their] = [(sized as Names)[Number(key)], theirs[key]];
    if (our !== their) report(`${version} ${list} ${key}`, `${our ?? 'no name'}, ${their ?? 'no name'} in the source`);
  }
}

/** The differences between the sources and the tables, as text. */
export function compare(sources: Sources): readonly string[] {
  compareVersion('0.6', sources['0.6']);
  if (sources['0.7']) compareVersion('0.7', sources['0.7']);
  const ours = messagesOf('0.6').all.flatMap(({ uuidName, system }) => (system && uuidName ? [uuidName] : []));
  for (const name of sources.system) if (!ours.includes(name)) report('system message', `${name} is missing`);
  for (const name of ours) if (!sources.system.includes(name)) report('system message', `${name} is not in the source`);
  return differences;
}
