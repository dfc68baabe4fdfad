import { isCall, isList, isTrue, isUnknown, maxLength, maxText, unknown, type Value } from './value.ts';

export function numberOf(text: string): number | undefined {
  const plain = text.replace(/_|[uUlL]+$/g, '');
  const value = Number(/^0\d+$/.test(plain) ? `0o${plain.slice(1)}` : plain);
  return Number.isSafeInteger(value) ? value : undefined;
}

export function operate(sign: string, left: Value, right: () => Value, line: number): Value {
  if (sign === 'or' || sign === 'and') {
    return isUnknown(left) || isTrue(left) === (sign === 'or') ? left : right();
  }
  const other = right();
  if (sign === '+' && (isList(left) || isList(other))) {
    const all = [...asList(left, line), ...asList(other, line)];
    return all.length > maxLength ? unknown(line, `a list of more than ${maxLength}`) : all;
  }
  if (isUnknown(left)) return left;
  if (isUnknown(other)) return other;
  if (sign === '%' && typeof left === 'string') return formatted(left, isList(other) ? other : [other], line);
  const compared = comparison(sign, left, other);
  if (compared !== undefined) return Number(compared);
  if (typeof left === 'number' && typeof other === 'number') return computed(sign, left, other, line);
  if (sign === '+' && typeof left === 'string' && typeof other === 'string') return joined([left, other], line);
  const [times, repeated] = typeof left === 'number' ? [left, other] : [other, left];
  if (sign === '*' && typeof times === 'number' && (isList(repeated) || typeof repeated === 'string')) {
    const count = Math.max(0, times);
    if (count * repeated.length > maxLength) return unknown(line, `a list of more than ${maxLength}`);
    return typeof repeated === 'string' ? repeated.repeat(count) : Array.from({ length: count }, () => repeated).flat();
  }
  return unknown(line, `'${sign}' is not read between these`);
}

/** A list; what is not known of one is one unknown element. */
function asList(value: Value, line: number): readonly Value[] {
  if (isList(value)) return value;
  return [isUnknown(value) ? value : unknown(line, isCall(value) ? `${value.name}() is not known` : 'no list')];
}

function comparison(sign: string, left: Value, right: Value): boolean | undefined {
  if (sign === '==' || sign === 'is') return left === right;
  if (sign === '!=' || sign === '<>' || sign === 'is not') return left !== right;
  const isIn = sign === 'in' || sign === 'not in';
  if (isIn && isList(right)) return right.includes(left) === (sign === 'in');
  if (isIn && typeof right === 'string') return right.includes(String(left)) === (sign === 'in');
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  if (sign === '<') return left < right;
  if (sign === '>') return left > right;
  if (sign === '<=') return left <= right;
  return sign === '>=' ? left >= right : undefined;
}

/** Whole numbers as Python has them, as long as they are exact here. */
function computed(sign: string, left: number, right: number, line: number): Value {
  const [a, b] = [BigInt(left), BigInt(right)];
  const of = (value: bigint | undefined) => {
    const number = Number(value);
    return value !== undefined && Number.isSafeInteger(number) ? number : unknown(line, 'a number that is too large');
  };
  const isShift = b >= 0n && b <= 64n;
  switch (sign) {
    case '+':
      return of(a + b);
    case '-':
      return of(a - b);
    case '*':
      return of(a * b);
    case '/':
      return b !== 0n && a % b === 0n ? of(a / b) : unknown(line, `${left} / ${right} is no whole number`);
    case '//':
      return b === 0n ? unknown(line, 'a division by 0') : Math.floor(left / right);
    case '%':
      return b === 0n ? unknown(line, 'a division by 0') : of(((a % b) + b) % b);
    case '<<':
      return of(isShift ? a << b : undefined);
    case '>>':
      return of(isShift ? a >> b : undefined);
    case '&':
      return of(a & b);
    case '|':
      return of(a | b);
    case '^':
      return of(a ^ b);
    case '**':
      return of(isShift ? a ** b : undefined);
    default:
      return unknown(line, `'${sign}' is not read between numbers`);
  }
}

export function joined(parts: readonly Value[], line: number): Value {
  const undecided = parts.find(isUnknown);
  if (undecided) return undecided;
  const text = parts.join('');
  return text.length > maxText ? unknown(line, `a text of more than ${maxText} characters`) : text;
}

/** `"BIT%d" % 3` */
function formatted(text: string, values: readonly Value[], line: number): Value {
  let at = 0;
  const parts = text.split(/(%%|%[a-z])/).map((part): Value => {
    if (part === '%%') return '%';
    if (part === '%d' || part === '%s' || part === '%i') return texts(values[at++], line);
    return /^%/.test(part) ? unknown(line, `'${part}' is not read here`) : part;
  });
  return joined(parts, line);
}

export const texts = (value: Value | undefined, line: number): Value =>
  typeof value === 'number' || typeof value === 'string' || isUnknown(value) ? value : unknown(line, 'no text');
