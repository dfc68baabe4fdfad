import type { Players } from '../../recording/events/players.ts';
import { flagNames, meaningText } from '../../wire/annotate/describe.ts';
import type { Meaning, Names } from '../../wire/protocol/meaning.ts';
import type { MessageFieldType } from '../../wire/protocol/message-type.ts';
import type { Condition, Operator } from './parse.ts';

/** Who has which number where a value is tested. */
export type Roster = Pick<Players, 'nameOf'>;

/** Whether a value fulfils a condition. */
export type NumberTest = (value: number, roster: Roster) => boolean;
export type TextTest = (text: string) => boolean;

const compared: Readonly<Record<Exclude<Operator, '~'>, (target: number) => (value: number) => boolean>> = {
  '=': (target) => (value) => value === target,
  '!=': (target) => (value) => value !== target,
  '<': (target) => (value) => value < target,
  '<=': (target) => (value) => value <= target,
  '>': (target) => (value) => value > target,
  '>=': (target) => (value) => value >= target,
};

/** The test of a text, without regard to case; undefined for `<` and `>`. */
export function textTest({ operator, value }: Pick<Condition, 'operator' | 'value'>): TextTest | undefined {
  const wanted = value.toLowerCase();
  if (operator === '=') return (text) => text.toLowerCase() === wanted;
  if (operator === '!=') return (text) => text.toLowerCase() !== wanted;
  return operator === '~' ? (text) => text.toLowerCase().includes(wanted) : undefined;
}

/** The number that a text is: `800`, `-1`, `0x20`, `0.5`. */
export function numberOf(value: string): number | undefined {
  const number = /^[+-]?(?:0x[0-9a-f]+|\d+(?:\.\d+)?)$/i.test(value) ? Number(value.replace(/^\+/, '')) : undefined;
  return number === undefined || Number.isNaN(number) ? undefined : number;
}

/** The test of a number without names; undefined if the condition is about something else. */
export function plainTest({ operator, value }: Condition): NumberTest | undefined {
  const number = numberOf(value);
  if (number === undefined) return undefined;
  if (operator === '~') return (found) => String(found).includes(value);
  return compared[operator](number);
}

/** The test of the number of a player, for which the name stands that the client has then. */
export function playerTest(condition: Condition, names?: Names): NumberTest | undefined {
  const { operator } = condition;
  if (numberOf(condition.value) !== undefined && operator !== '~') return plainTest(condition);
  const isText = textTest(condition);
  if (!isText) return undefined;
  const nobody = operator === '!=';
  return (client, roster) => {
    const name = names?.[client] ?? roster.nameOf(client);
    return name === undefined ? nobody : isText(name);
  };
}

/** The test of the number of a name, `weapon=ninja`. */
export function nameTest(condition: Condition, names: Names): NumberTest | undefined {
  const { operator, value } = condition;
  if (numberOf(value) !== undefined && operator !== '~') return plainTest(condition);
  const isText = textTest({ operator: operator === '!=' ? '=' : operator, value });
  if (!isText) return undefined;
  const found = new Set(
    Object.keys(names)
      .map(Number)
      .filter((number) => isText(names[number]!)),
  );
  if (found.size === 0) return undefined;
  return operator === '!=' ? (number) => !found.has(number) : (number) => found.has(number);
}

/** The test of flags: a name, or several as `chatting|ready`, holds if all of these are set. */
function flagTest(condition: Condition, names: Names): NumberTest | undefined {
  const { operator, value } = condition;
  if (numberOf(value) !== undefined) return plainTest(condition);
  if (operator === '~') return (flags) => flagNames(names, flags)?.includes(value.toLowerCase()) ?? false;
  let mask = 0;
  for (const name of value.toLowerCase().split('|')) {
    const [bit] = Object.entries(names).find(([, text]) => text === name) ?? [];
    if (bit === undefined) return undefined;
    mask |= Number(bit);
  }
  if (operator === '=') return (flags) => (flags & mask) === mask;
  return operator === '!=' ? (flags) => (flags & mask) !== mask : undefined;
}

const truth: Names = { 0: 'false', 1: 'true' };

/** The test of an int with a meaning; undefined if the condition makes no sense for it. */
export function intTest(meaning: Meaning, condition: Condition): NumberTest | undefined {
  switch (meaning.kind) {
    case 'client':
      return playerTest(condition, meaning.names);
    case 'enum':
      return nameTest(condition, meaning.names);
    case 'flags':
      return flagTest(condition, { ...meaning.names, ...meaning.renamed?.names });
    case 'boolean':
      return nameTest(condition, truth);
    case 'int':
      return meaning.names ? nameTest(condition, meaning.names) : plainTest(condition);
    case 'tick': {
      const isText = meaning.negative === undefined ? undefined : textTest(condition);
      return plainTest(condition) ?? (isText && ((tick) => isText(meaningText(meaning, tick).symbol ?? '')));
    }
    default:
      return plainTest(condition);
  }
}

/** The names that a value with a meaning may have, for suggestions. */
export function namesOf(type: Meaning | MessageFieldType): readonly string[] {
  if (type.kind === 'list' || type.kind === 'repeat') return namesOf(type.of);
  if (type.kind === 'boolean') return Object.values(truth);
  if (type.kind === 'enum_by') return Object.values(type.names).flatMap((names) => Object.values(names));
  return 'names' in type && type.names ? Object.values(type.names as Names) : [];
}
