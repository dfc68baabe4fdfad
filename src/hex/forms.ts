import type { Form } from './form.ts';
import { array } from './forms/array.ts';
import { assembler } from './forms/assembler.ts';
import { base64 } from './forms/base64.ts';
import { buffer } from './forms/buffer.ts';
import { decimals } from './forms/decimals.ts';
import { hexdump } from './forms/hexdump.ts';
import { hexyl } from './forms/hexyl.ts';
import { jsonField } from './forms/json-field.ts';
import { marked } from './forms/marked.ts';
import { memory } from './forms/memory.ts';
import { plain } from './forms/plain.ts';
import { string } from './forms/string.ts';
import { tcpdump } from './forms/tcpdump.ts';
import { tsharkJson } from './forms/tshark-json.ts';
import { twSnap } from './forms/tw-snap.ts';
import { url } from './forms/url.ts';
import { words } from './forms/words.ts';
import { xxd } from './forms/xxd.ts';
import { xxdBits } from './forms/xxd-bits.ts';

/** All forms of pasted text in the order in which they are tried, those that are easiest to recognise first. */
export const forms: readonly Form[] = [
  tsharkJson,
  buffer,
  assembler,
  tcpdump,
  memory,
  hexyl,
  xxdBits,
  xxd,
  words,
  hexdump,
  twSnap,
  url,
  marked,
  array,
  string,
  decimals,
  plain,
  base64,
];

/** The forms that JSON may have. Other texts and numbers in JSON are not packets. */
export const jsonForms: readonly Form[] = [tsharkJson, buffer, jsonField];
