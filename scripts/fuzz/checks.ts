import type { Span } from '../../src/wire/annotate/span.ts';
import { DecodeError } from '../../src/wire/bytes/diagnostic.ts';
import { Delta } from '../../src/wire/snapshot/delta.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';

/** The error of a failed check. */
class Broken extends Error {
  override readonly name = 'Broken';
}

export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Broken(what);
}

/** Runs a reader that may refuse its input, but only with a {@link DecodeError}; then returns undefined. */
export function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** Checks that two texts are equal. */
export function same(first: string, second: string, what: string): void {
  if (first === second) return;
  let at = 0;
  while (first[at] === second[at]) at++;
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  throw new Broken(`${what}\n  ${around(first)}\n  ${around(second)}`);
}

/** Checks that bytes or ints are equal. */
export function sameNumbers(first: ArrayLike<number>, second: ArrayLike<number>, what: string): void {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at++;
  if (at < first.length || at < second.length) same(Array.from(first).join(), Array.from(second).join(), what);
}

/** Checks that two snapshots or two deltas have equal items. */
export function sameItems(first: Snapshot | Delta, second: Snapshot | Delta, what: string): void {
  if (hashOf(first) !== hashOf(second)) same(itemsOf(first), itemsOf(second), what);
}

/** Checks that the incremental checksum equals the sum of all ints. */
export function isSum(snapshot: Snapshot): void {
  let sum = 0;
  for (const { data } of snapshot) for (const int of data) sum = (sum + int) | 0;
  check(sum === snapshot.checksum(), `checksum: ${snapshot.checksum()}, not ${sum}`);
}

/** An FNV-1a hash of the keys, sizes and ints of all items, and of the removed keys of a delta. */
export function hashOf(body: Snapshot | Delta): number {
  const isDelta = body instanceof Delta;
  let hash = Math.imul(0x811c9dc5 ^ body.count, 0x01000193);
  for (let i = 0; i < body.count; i++) {
    const at = isDelta ? body.starts[i]! : body.offsets[i]!;
    const end = isDelta ? at + body.sizes[i]! : body.offsets[i + 1]!;
    const ints = isDelta ? body.ints : body.data;
    hash = Math.imul(hash ^ body.keys[i]!, 0x01000193);
    hash = Math.imul(hash ^ (end - at), 0x01000193);
    for (let k = at; k < end; k++) hash = Math.imul(hash ^ ints[k]!, 0x01000193);
  }
  if (isDelta) {
    for (let i = 0; i < body.removedCount; i++) hash = Math.imul(hash ^ body.removedKey(i), 0x01000193);
  }
  return hash;
}

/** The items as text. */
export function itemsOf(body: Snapshot | Delta): string {
  const items = Array.from({ length: body.count }, (_, i) => `${body.keys[i]}:${body.item(i).join()}`);
  if (body instanceof Delta) {
    items.push(...Array.from({ length: body.removedCount }, (_, i) => `-${body.removedKey(i)}`));
  }
  return items.join(';');
}

/** Checks that two lists are equal. */
export function sameAll(first: readonly string[], second: readonly string[], what: string): void {
  for (let i = 0; i < Math.max(first.length, second.length); i++) {
    if (first[i] !== second[i]) same(first[i] ?? '(nothing)', second[i] ?? '(nothing)', `${what}, at ${i}`);
  }
}

/** Checks that spans are contiguous, not empty, and cover all bytes. */
export function covers(spans: readonly Span[], length: number): void {
  let at = 0;
  for (const { start, end, label } of spans) {
    check(start === at && end > start, `spans: ${label} is ${start} to ${end}, after ${at}`);
    at = end;
  }
  check(at === length, `spans: they end at ${at} of ${length}`);
}

/** Checks that JSON text represents exactly the original value. */
export function isJson(text: string, of?: unknown): void {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Broken(`no JSON: ${error}`);
  }
  if (of !== undefined) same(JSON.stringify(parsed), JSON.stringify(of), 'JSON says something else');
  safe(text);
}

export function isNdjson(text: string): void {
  if (text === '') return;
  check(text.endsWith('\n'), 'NDJSON ends inside a line');
  for (const line of text.slice(0, -1).split('\n')) isJson(line);
}

/** Checks that all rows of CSV have as many cells as the first. Quoted cells may contain line ends and commas. */
export function isCsv(text: string): void {
  let columns = 0;
  let cells = 1;
  let quoted = false;
  for (const sign of text) {
    if (sign === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (sign === ',') cells++;
    else if (sign === '\n') {
      columns ||= cells;
      check(cells === columns, `CSV: a row of ${cells} cells, not ${columns}`);
      cells = 1;
    }
  }
  check(!quoted, 'CSV: a quote stays open');
}

/** Characters that a terminal interprets or hides: controls except line ends, direction marks, invisible characters. */
const unsafe = /[^\P{Cc}\n]|[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

/** Checks that no control character of untrusted text is printed unescaped. */
export function safe(text: string): void {
  const found = unsafe.exec(text);
  if (!found) return;
  const around = text.slice(Math.max(0, found.index - 40), found.index + 40);
  throw new Broken(`unsafe text: ${JSON.stringify(around)}`);
}
