// Writes the items of a protocol as constants of another language: numbers of types, sizes in ints, values of enumerations and flags.
//
//   tw-snap schema -t json -p 0.7 | node constants.mjs c > teeworlds.h
//   tw-snap schema -t json -p 0.7 | node constants.mjs go > teeworlds.go
//   tw-snap schema -t json -p 0.7 | node constants.mjs python > teeworlds.py
//   tw-snap schema -t json -p 0.7 | node constants.mjs rust > teeworlds.rs
import { text } from 'node:stream/consumers';

const upper = (name) => name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
const camel = (name) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const languages = {
  c: {
    first: '#pragma once\n',
    number: (name, value) => `#define ${upper(name)} ${value}`,
    string: (name, value) => `#define ${upper(name)} "${value}"`,
  },
  go: {
    first: 'package teeworlds\n',
    number: (name, value) => `const ${camel(name)} = ${value}`,
    string: (name, value) => `const ${camel(name)} = "${value}"`,
  },
  python: {
    first: '',
    number: (name, value) => `${upper(name)} = ${value}`,
    string: (name, value) => `${upper(name)} = "${value}"`,
  },
  rust: {
    first: '#![allow(dead_code)]\n',
    number: (name, value) => `pub const ${upper(name)}: i64 = ${value};`,
    string: (name, value) => `pub const ${upper(name)}: &str = "${value}";`,
  },
};

const language = languages[process.argv[2]];
if (!language) throw new Error(`usage: constants.mjs ${Object.keys(languages).join(' | ')}`);
const { items } = JSON.parse(await text(process.stdin));
const lines = new Set([language.first]);
for (const { name, type, uuid, size, fields } of items) {
  lines.add(type === undefined ? language.string(`${name}_uuid`, uuid) : language.number(`${name}_type`, type));
  lines.add(language.number(`${name}_ints`, size));
  for (const { name: field, at, meaning } of fields) {
    lines.add(language.number(`${name}_${field}_at`, at));
    if (meaning.kind !== 'enum' && meaning.kind !== 'flags') continue;
    for (const [value, word] of Object.entries(meaning.names))
      lines.add(language.number(`${name}_${field}_is_${word}`, value));
  }
}
console.log([...lines].join('\n'));
