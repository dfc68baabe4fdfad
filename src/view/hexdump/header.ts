import { areDifferences } from '../../annotate/base-values.ts';
import type { Diagnostic } from '../../bytes/diagnostic.ts';
import type { Payload } from '../../decode/payload.ts';
import { Delta } from '../../snapshot/delta.ts';
import { diagnosticMessage } from '../text/diagnostic-messages.ts';
import { escapeText } from '../text/escape.ts';
import { count, thousands } from '../text/number.ts';
import { markOf, type Theme } from '../text/theme.ts';

/** `first.huff   huffman · delta · 0.7   25 bytes → 43 bytes → 37 ints   0 removed, 3 items`, on two lines if it is too long. */
export function header(payload: Payload, name: string, { theme, width }: { theme: Theme; width: number }): string {
  const { encoding, file, bytes, ints } = payload.layers;
  const sizes = [count(file.length, 'byte')];
  if (bytes.length !== file.length || encoding === 'huffman') sizes.push(count(bytes.length, 'byte'));
  sizes.push(count(ints.length, 'int'));
  return titleLine(name, [reading(payload), sizes.join(' → '), contentText(payload)], { theme, width });
}

/** A name and its description. The description continues on further lines if it is too long. */
export function titleLine(name: string, parts: readonly string[], { theme, width }: { theme: Theme; width: number }) {
  const shown = escapeText(name);
  const about = parts.join(between);
  if (shown.length + between.length + about.length <= width) return `${theme.strong(shown)}${between}${about}`;
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = `${last}${between}${part}`;
    if (last !== undefined && joined.length <= width) lines[lines.length - 1] = joined;
    else lines.push(`  ${part}`);
  }
  return [theme.strong(shown), ...lines].join('\n');
}

const between = '   ';

/** `huffman · delta · 0.7` */
export function reading(payload: Payload): string {
  return [payload.layers.encoding, payload.kind, payload.types.protocol.version].join(' · ');
}

/** `2 removed, 3 items`; `2 removed, 3 items, values are differences` without a base */
export function contentText(payload: Pick<Payload, 'body' | 'base'>): string {
  const { body } = payload;
  const items = count(body.count, 'item');
  if (body instanceof Delta) {
    const note = body.count > 0 && areDifferences(payload) ? ', values are differences' : '';
    return `${thousands(body.removedCount)} removed, ${items}${note}`;
  }
  return `${items}, checksum ${body.checksum()}`;
}

/** Warnings and errors, one per line. `place` returns the address columns. */
export function diagnosticLines(
  { diagnostics }: Pick<Payload, 'diagnostics'>,
  theme: Theme,
  place: (diagnostic: Diagnostic) => string,
): string[] {
  const { all, more, error } = diagnostics;
  const lines = all.map((diagnostic) => {
    const mark = markOf(diagnostic.severity, theme);
    return `${theme.dim(place(diagnostic))}  ${mark} ${theme.strong(diagnostic.code)}: ${diagnosticMessage(diagnostic)}`;
  });
  const errors = error ? 1 + diagnostics.otherErrors.length : 0;
  if (more > 0) lines.splice(lines.length - errors, 0, theme.dim(`  … ${count(more, 'more warning')}`));
  return lines;
}
