/**
 * The differences of two outcomes: a key that is equal for equal differences, and a text.
 * @param {Map<string, Buffer>} before
 * @param {Map<string, Buffer>} after
 * @param {readonly string[]} args
 * @param {number} most how many lines of a difference are shown
 */
export function differenceOf(before, after, args, most) {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const parts = names.flatMap((name) => {
    const [a, b] = [before.get(name), after.get(name)];
    return a && b && a.equals(b) ? [] : [{ name, ...partDifference(name, a, b, args, most) }];
  });
  // Status and messages belong together.
  const spoken = parts.filter(({ name }) => name === 'status' || name === 'stderr');
  const written = parts.filter((part) => !spoken.includes(part));
  const joined =
    spoken.length === 0
      ? []
      : [{ key: spoken.map(({ key }) => key).join('\n'), text: spoken.map(({ text }) => text).join('') }];
  return [...joined, ...written];
}

function partDifference(name, a, b, args, most) {
  const kind = name === 'status' || /^std/.test(name) ? name : `a file ${/\.[a-z]+$/.exec(name)?.[0] ?? ''}`;
  if (name === 'status') {
    const text = `   status ${a} → ${b}\n`;
    return { key: text, text };
  }
  if (!a || !b) {
    return {
      key: `${kind} only ${a ? 'before' : 'after'}`,
      text: `   ${name}: only ${a ? 'before' : 'after'}, ${(a ?? b).length} bytes\n`,
    };
  }
  if (isBinary(a) || isBinary(b)) {
    let at = 0;
    while (a[at] === b[at]) at++;
    const bytes = (entry) =>
      entry
        .subarray(at, at + 16)
        .toString('hex')
        .replaceAll(/..(?=.)/g, '$& ') || '(end)';
    const text = `   ${name}: ${a.length} → ${b.length} bytes, from byte ${at} on:\n   - ${bytes(a)}\n   + ${bytes(b)}\n`;
    return { key: `${kind} ${args[0]} ${args.filter((word) => word.startsWith('-')).join(' ')}`, text };
  }
  const [old, now] = [a, b].map((entry) => entry.toString().split('\n'));
  const { removed, added, line } = firstHunk(old, now);
  const pairs = Array.from({ length: Math.max(removed.length, added.length) }, (_, i) =>
    shortened(removed[i], added[i]),
  );
  const shown = [
    ...pairs.flatMap(([entry]) => (entry === undefined ? [] : [`   - ${entry}`])),
    ...pairs.flatMap(([, entry]) => (entry === undefined ? [] : [`   + ${entry}`])),
  ];
  const less = shown.length > most ? [...shown.slice(0, most), `   … ${shown.length - most} more`] : shown;
  const key = pairs
    .slice(0, 2)
    .flat()
    .map((pair) =>
      (pair ?? '')
        .replaceAll(/(['"]).*?\1/g, "''")
        .replaceAll(/[\w./-]*\/[\w./-]+/g, 'PATH')
        .replaceAll(/0x[\da-f]+|\d[\d,.]*/gi, '#'),
    )
    .join('\n');
  return {
    key: `${kind}\n${key}`,
    text: `   ${name === 'stdout' || name === 'stderr' ? name : `file ${name}`}, line ${line}:\n${less.join('\n')}\n`,
  };
}

const isBinary = (bytes) => bytes.subarray(0, 4096).includes(0);

/** The first lines that differ, up to where both are equal again. */
function firstHunk(old, now) {
  let from = 0;
  while (old[from] === now[from]) from++;
  // The nearest place, by the sum of both distances, from which three lines (or the rest) are equal.
  const isEqual = (i, j) => [0, 1, 2].every((k) => old[i + k] === now[j + k]);
  for (let sum = 1; sum < 400; sum++) {
    for (let i = 0; i <= sum; i++) {
      const [x, y] = [from + i, from + sum - i];
      if (x > old.length || y > now.length || !isEqual(x, y)) continue;
      return { line: from + 1, removed: old.slice(from, x), added: now.slice(from, y) };
    }
  }
  return { line: from + 1, removed: old.slice(from, from + 200), added: now.slice(from, from + 200) };
}

const sideChars = 40;
const longChars = 160;

/** Of long lines the part that differs, with what is around it. */
function shortened(a, b) {
  const cut = (text) => (text !== undefined && text.length > longChars ? `${text.slice(0, longChars)}…` : text);
  if (a === undefined || b === undefined) return [cut(a), cut(b)];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  if (a.length <= longChars && b.length <= longChars) return [a, b];
  const from = Math.max(0, start - sideChars);
  const part = (text) => `${from > 0 ? '…' : ''}${cut(text.slice(from))}`;
  return [part(a), part(b)];
}
