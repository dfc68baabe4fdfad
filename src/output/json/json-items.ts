import { writeBytes, writeDecimal } from '../../wire/bytes/buffers.ts';
import { jsonText } from '../text/escape.ts';
import type { ItemForm } from '../text/item-texts.ts';
import { itemJson } from './item-json.ts';

const encoder = new TextEncoder();
const fieldsStart = encoder.encode('],"fields":{');
const itemEnd = encoder.encode('}}');
const comma = 0x2c;

/** The text of {@link itemJson}. */
export const jsonItems: ItemForm = {
  head(types, type, id) {
    const uuid = types.uuidOf(type);
    const named = `{"type":${type},"name":"${types.of(type)?.name}","id":${id}`;
    return `${named}${uuid === undefined ? '' : `,"uuid":"${uuid}"`},"data":[`;
  },
  label: (name, i) => `${i === 0 ? '' : ','}"${name}":`,
  write(into, start, labels, ints) {
    let at = start;
    for (let i = 0; i < ints.length; i++) {
      if (i > 0) into[at++] = comma;
      at = writeDecimal(into, at, ints[i]!);
    }
    at = writeBytes(into, at, fieldsStart);
    for (let i = 0; i < labels.length && i < ints.length; i++) {
      at = writeBytes(into, at, labels[i]!);
      at = writeDecimal(into, at, ints[i]!);
    }
    return writeBytes(into, at, itemEnd);
  },
  text: (item) => jsonText(itemJson(item)),
};
