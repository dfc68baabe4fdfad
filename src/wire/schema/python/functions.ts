import { joined, numberOf, texts } from './operations.ts';
import { type Call, isCall, isList, isUnknown, maxLength, unknown, type Value } from './value.ts';

export function attribute(of: Value, name: string, line: number): Value {
  if (isUnknown(of)) return of;
  const known = isCall(of) ? { name: 0, values: 1 }[name] : undefined;
  return (isCall(of) && known !== undefined && of.args[known]) || unknown(line, `.${name} is not known`);
}

export function method(of: Value, name: string, { args }: Pick<Call, 'args'>, line: number): Value {
  if (isUnknown(of)) return of;
  const [first] = args;
  if (typeof of === 'string') {
    if (name === 'upper') return of.toUpperCase();
    if (name === 'lower') return of.toLowerCase();
    if (name === 'strip') return of.trim();
    if (name === 'split') return typeof first === 'string' && first !== '' ? of.split(first) : of.trim().split(/\s+/);
    if (name === 'join' && isList(first)) {
      const parts = first.map((item) => texts(item, line));
      return joined(
        parts.flatMap((part, i) => (i === 0 ? [part] : [of, part])),
        line,
      );
    }
    if (name === 'format') {
      let at = 0;
      const parts = of.split(/(\{\{|\}\}|\{\d*\})/).map((part): Value => {
        if (part === '{{' || part === '}}') return part[0]!;
        if (/^\{\d*\}$/.test(part)) return texts(args[part === '{}' ? at++ : Number(part.slice(1, -1))], line);
        return /[{}]/.test(part) ? unknown(line, `'${part}' is not read here`) : part;
      });
      return joined(parts, line);
    }
  }
  if (isList(of) && name === 'copy') return of;
  return unknown(line, `.${name}() is not known`);
}

export function element(of: Value, index: Value, line: number): Value {
  if (isUnknown(of)) return of;
  const found = typeof index === 'number' && (isList(of) || typeof of === 'string') ? of.at(index) : undefined;
  return found ?? unknown(line, 'there is no such element');
}

export function slice(of: Value, from: Value, to: Value, line: number): Value {
  const isPlace = (value: Value) => value === null || typeof value === 'number';
  if (isUnknown(of) || !(isList(of) || typeof of === 'string') || !isPlace(from) || !isPlace(to))
    return isUnknown(of) ? of : unknown(line, 'this slice is not read');
  return of.slice((from as number | null) ?? 0, (to as number | null) ?? undefined);
}

/** The functions of Python that the tables use. */
export function call(name: string, { args, named }: Pick<Call, 'args' | 'named'>, line: number): Value {
  const [first, second] = args;
  const numbers = args.filter((arg) => typeof arg === 'number');
  const refused = () => args.find(isUnknown) ?? unknown(line, `${name}() of this is not read`);
  switch (name) {
    case 'len':
      return isList(first) || typeof first === 'string' ? first.length : refused();
    case 'str':
      return typeof first === 'number' || typeof first === 'string' ? String(first) : refused();
    case 'int': {
      const value = typeof first === 'string' ? numberOf(first) : first;
      return typeof value === 'number' ? value : refused();
    }
    case 'list':
    case 'tuple':
      if (args.length === 0) return [];
      if (typeof first === 'string') return [...first];
      return isList(first) ? first : refused();
    case 'min':
    case 'max':
      return numbers.length === args.length && args.length > 0 ? Math[name](...numbers) : refused();
    case 'abs':
      return typeof first === 'number' ? Math.abs(first) : refused();
    case 'reversed':
      return isList(first) ? first.toReversed() : refused();
    case 'enumerate': {
      const start = typeof second === 'number' ? second : 0;
      return isList(first) ? first.map((item, i) => [start + i, item]) : refused();
    }
    case 'zip':
      return args.every(isList) && args.length > 0 ? zipped(args) : refused();
    case 'range':
    case 'xrange': {
      const [from, to, step = 1] = args.length > 1 ? args : [0, first];
      if (typeof from !== 'number' || typeof to !== 'number' || typeof step !== 'number' || step === 0)
        return refused();
      const count = Math.max(0, Math.ceil((to - from) / step));
      if (count > maxLength) return unknown(line, `a list of more than ${maxLength}`);
      return Array.from({ length: count }, (_, i) => from + i * step);
    }
    default:
      return { kind: 'call', name, args, named, line };
  }
}

const zipped = (lists: readonly (readonly Value[])[]): Value =>
  Array.from({ length: Math.min(...lists.map(({ length }) => length)) }, (_, i) => lists.map((list) => list[i]!));
