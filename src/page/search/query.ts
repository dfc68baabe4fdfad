type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

/** A value that an item must have: `x>800`, `weapon=grenade`. */
export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

/** A search query. Words are in lower case. */
export interface Query {
  readonly words: readonly string[];
  readonly conditions: readonly Condition[];
}

/** Reads the text of the search box. Words are separated by spaces or enclosed in double quotes. */
export function readQuery(text: string): Query {
  const words: string[] = [];
  const conditions: Condition[] = [];
  for (const [, quoted, plain] of text.matchAll(/"([^"]*)"?|(\S+)/g)) {
    const [, field, operator, value] = /^([\w.[\]]+)(!=|<=|>=|==?|<|>)(.+)$/.exec(plain ?? '') ?? [];
    if (field && value !== undefined) {
      conditions.push({ field, operator: (operator === '==' ? '=' : operator) as Operator, value });
    } else if (quoted ?? plain) words.push((quoted ?? plain)!.toLowerCase());
  }
  return { words, conditions };
}

/** Whether a value meets a condition. Texts and names are compared without regard to case. */
export function holds(
  { operator, value }: Condition,
  found: number | string | undefined,
  symbol: string | undefined,
): boolean {
  const number = Number(value);
  if (typeof found === 'number' && !Number.isNaN(number)) return compares(operator, found - number);
  const lowered = value.toLowerCase();
  const isEqual = [String(found ?? ''), symbol ?? ''].some((text) => text.toLowerCase() === lowered);
  if (operator === '=') return isEqual;
  return operator === '!=' && !isEqual;
}

function compares(operator: Operator, difference: number): boolean {
  switch (operator) {
    case '=':
      return difference === 0;
    case '!=':
      return difference !== 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
  }
}
