import type { Named } from '../table/schema-meaning.ts';
import { columns } from './columns.ts';

/** Lays out numbers and their names in as many columns as fit, ordered from top to bottom. */
export function layOutColumns(names: readonly Named[], width: number, style: (name: string) => string): string[] {
  const digits = Math.max(...names.map(({ value }) => value.length));
  const cellWidth = digits + 1 + Math.max(...names.map(({ name }) => name.length));
  const fit = Math.max(1, Math.floor((width + 1) / (cellWidth + 3)));
  const down = Math.ceil(names.length / fit);
  const across = Math.ceil(names.length / down);
  const cells = names.map(({ value, name }) => `${value.padStart(digits)} ${style(name)}`);
  const rows = Array.from({ length: down }, (_, i) => {
    return Array.from({ length: across }, (_, k) => cells[k * down + i] ?? '');
  });
  return columns(rows, new Array(across).fill('left'));
}
