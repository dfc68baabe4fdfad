import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * The bytes of an output without what differs between two builds or two runs: the version and commit, the names of
 * temporary files. Of a page the data is shown as text; its program is compared apart, once.
 * @param {Buffer} bytes
 * @param {string} checkout
 */
export function masked(bytes, checkout) {
  const text = bytes.toString('latin1');
  const plain = text.startsWith('<!doctype html>') ? pageData(text) : text;
  const result = maskedName(plain).replaceAll(`tw-snap ${versionOf(checkout)}`, 'tw-snap VERSION');
  return result === text ? bytes : Buffer.from(result, 'latin1');
}

/** A file's name without the parts that are random. */
export const maskedName = (name) => name.replaceAll(/\.tw-snap\.\d+-[0-9a-f]+/g, '.tw-snap.PID-RANDOM');

const versions = new Map();
function versionOf(checkout) {
  if (!versions.has(checkout)) {
    versions.set(checkout, JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')).version);
  }
  return versions.get(checkout);
}

function pageData(text) {
  return text
    .replaceAll(/'sha256-[^']*'/g, "'sha256-…'")
    .replace(/(id="program">)[^<]*/, '$1…')
    .replace(/(id="report-data">)\s*([^<]*)/, (_, start, data) => {
      const bytes = gunzipSync(Buffer.from(data, 'base64'));
      return start + bytes.toString('latin1').replaceAll(/[,{[]"/g, '\n$&');
    });
}
