import { expect, it } from 'vitest';
import { readPacketContents } from '../../../src/wire/packet/packet-contents.ts';
import { contentsWithoutSecrets } from '../../../src/wire/packet/secrets.ts';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { chunk06, ints, packet06 } from '../../support/packet-builder.ts';

const text = (...all: string[]) => all.flatMap((text) => [...new TextEncoder().encode(text), 0]);
const system = (id: number, ...all: string[]) => chunk06([...ints((id << 1) | 1), ...text(...all)]);

it('passwords and rcon commands of a packet are hidden, with their bytes', () => {
  const packet = packet06([system(1, '0.6', 'hunter2'), system(18, 'admin', 's3cret'), system(17, 'password x')]);
  const read = readPacketContents(packet, protocolOf('0.6'));
  const { messages, layers } = contentsWithoutSecrets(read);
  const valuesOf = messages.map(({ message }) => message.values.map(({ value }) => value));
  expect(valuesOf).toEqual([['0.6', '(hidden)'], ['admin', '(hidden)'], ['(hidden)']]);
  const shown = new TextDecoder().decode(layers.bytes);
  for (const secret of ['hunter2', 's3cret', 'password x']) expect(shown).not.toContain(secret);
  expect(shown).toContain('admin');
  // What the packet has is not changed.
  expect(read.messages[0]!.message.values[1]!.value).toBe('hunter2');
});

it('a password that the packet cuts is hidden to its last byte, and an empty one is none', () => {
  const cut = packet06([chunk06([...ints((18 << 1) | 1), ...text('admin'), ...text('s3cret').slice(0, -1)])]);
  const { layers } = contentsWithoutSecrets(readPacketContents(cut, protocolOf('0.6')));
  expect(new TextDecoder().decode(layers.bytes)).toMatch(/\*{6}$/);
  const empty = readPacketContents(packet06([system(1, '0.6', '')]), protocolOf('0.6'));
  expect(contentsWithoutSecrets(empty)).toBe(empty);
});

it.each(['0.6', '0.7'] as const)('in %s the tables mark every password', (version) => {
  const marked = messagesOf(version).all.flatMap(({ name, fields }) =>
    fields.flatMap(({ name: field, type }) => (type.kind === 'string' && type.secret ? [`${name}.${field}`] : [])),
  );
  expect(marked.toSorted()).toEqual(['info.password', 'rcon_auth.password', 'rcon_cmd.cmd', 'rcon_line.line']);
  const named = messagesOf(version).all.flatMap(({ name, fields }) =>
    fields.flatMap((field) => (/password/.test(field.name) ? [`${name}.${field.name}`] : [])),
  );
  expect(named.filter((text) => !marked.includes(text))).toEqual([]);
});
