import { expect, it } from 'vitest';
import { withFieldDocs } from '../../scripts/build/field-docs.mjs';
import { tables } from '../../src/api/data.ts';

const all = Object.fromEntries((['0.5', '0.6', '0.7'] as const).map((version) => [version, tables(version)]));

it.each([
  ['items07', 'ItemType<"obj_character", {', 'weapon', /^One of: 0 hammer, 1 gun, .*-1 none\.$/],
  ['items06', 'ItemType<"obj_character", {', 'x', /^A position: 32 units are a tile\.$/],
  ['items07', 'ItemType<"obj_character", {', 'vel_x', /^In 1\/256 units\/tick\.$/],
  ['items07', 'ItemType<"obj_character", {', 'hooked_player', /^The number of a client, -1 for none\.$/],
  ['messages06', 'MessageType<"sv_killmsg", {', 'weapon', /-3 game/],
  ['extendedItems', 'ItemType<"ddnet_character", {', 'freeze_end', /^A tick, 50 a second/],
])('%s %s: what an editor shows of %s', (table, type, field, expected) => {
  const text = `export declare const ${table}: readonly [${type}\n    ${field}: {\n    };\n}>];\n`;
  const [, found] = /\/\*\* (.*) \*\/\n {4}\w+: \{/.exec(withFieldDocs(text, all)) ?? [];
  expect(found).toMatch(expected);
  expect(withFieldDocs(`export interface Other {\n    ${field}: number;\n}\n`, all)).not.toContain('/**');
});
