/**
 * The types of the tables with a comment for each field: what an editor shows where `fields.weapon` is hovered. The
 * comments come from the tables themselves: meaning, unit, and the names of values.
 * @param text of `items.d.ts` or `messages.d.ts`
 * @param tables by version, as `tw-snap/data` has them
 */
export function withFieldDocs(text, tables) {
  const found = { version: undefined, name: undefined };
  const lines = text.split('\n').map((line) => {
    const [, version] =
      /^export declare const (?:items|messages|extendedItems|extendedMessages)(\d\d)?\b/.exec(line) ?? [];
    if (/^export declare const /.test(line)) {
      found.version = version?.replace(/^0/, '0.');
      found.isTable = /^export declare const (items|messages|extended)/.test(line);
    }
    const [, type] = /(?:Item|Message)Type<"(\w+)", \{$/.exec(line) ?? [];
    if (type) found.name = type;
    const [, field] = /^ {4}(?:readonly )?(\w+)\??: /.exec(line) ?? [];
    if (!field || !found.isTable || !found.name) return line;
    const meaning = meaningOf(tables, found, field);
    return meaning ? `    /** ${meaning} */\n${line}` : line;
  });
  return lines.join('\n');
}

function meaningOf(tables, { version = '0.6', name }, field) {
  const { items, messages } = tables[version];
  for (const { name: of, fields } of [...items, ...messages]) {
    const known = of === name && fields.find((each) => each.name === field);
    if (known) return textOf(known.meaning ?? known.type);
  }
  return undefined;
}

const withUnits = {
  position: (scale) => (scale === 1 ? '32 units are a tile' : `1/${scale} of a unit, of which 32 are a tile`),
};

function textOf(type) {
  const { kind, names, min, max, scale, unit } = type;
  const list = names
    ? `: ${Object.entries(names)
        .map(([value, name]) => `${value} ${name}`)
        .join(', ')}`
    : '';
  const range = min === undefined && max === undefined ? '' : `, ${min ?? 'any'} to ${max ?? 'any'}`;
  if (kind === 'list' || kind === 'repeat') return `A list. ${textOf(type.of)}`;
  const texts = {
    int: `An int${range}${list}.`,
    boolean: '0 or 1.',
    tick: type.isDuration
      ? 'A number of ticks, 50 a second.'
      : `A tick, 50 a second${type.negative ? `; below 0: minus the tick of ${type.negative}` : ''}.`,
    amount: `In ${unit}${range}.`,
    client: `The number of a client${min === -1 ? ', -1 for none' : ''}${list}.`,
    position: `A position: ${withUnits.position(scale)}.`,
    fixed: `In 1/${scale}${unit ? ` ${unit}` : ''}.`,
    enum: `One of${list}.`,
    enum_by: `Its meaning depends on ${type.field}.`,
    flags: `Flags${list}.`,
    text: `Text of at most ${4 * type.ints - 1} bytes.`,
    uuid: 'A UUID.',
    raw_uuid: 'A UUID.',
    string: 'A text.',
    data: 'Bytes, as many as the int before says.',
    rest: 'The bytes up to the end.',
    sha256: 'A SHA-256, 32 bytes.',
  };
  return texts[kind]?.replaceAll('*/', '* /');
}
