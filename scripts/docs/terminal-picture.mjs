import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** What the picture shows: command lines, and how many lines of their output. */
export const panels = [
  { line: 'tw-snap decode samples/first.huff', lines: 16 },
  { line: 'tw-snap dump samples/vanilla-dm1.demo', lines: 13 },
];

/** The options that the picture needs beside those that it shows. */
export const look = ['--quiet', '--color', 'always', '--width', '100'];

/** The size of a character, and the room around the text. */
const [wide, high, room] = [7.8, 18, 18];
const [background, foreground] = ['#0d1117', '#c9d1d9'];

/** The theme's colours, by their escape codes, as this picture's terminal has them. */
const palette = {
  31: '#ff7b72',
  32: '#3fb950',
  33: '#d29922',
  35: '#bc8cff',
  36: '#39c5cf',
  90: '#8b949e',
};

const xml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The parts of a line with escape codes: text, colour, and whether it is bold or italic. */
function* partsOf(line) {
  let [style, column] = [{}, 0];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes of colours
  for (const [, codes, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (text !== undefined) {
      yield { text, column, ...style };
      column += [...text].length;
      continue;
    }
    const first = Number(codes);
    if (palette[first]) style = { ...style, colour: palette[first] };
    else if (first === 39) style = { ...style, colour: undefined };
    else if (first === 1) style = { ...style, bold: true };
    else if (first === 3) style = { ...style, italic: true };
    else if (first === 22) style = { ...style, bold: false };
    else if (first === 23) style = { ...style, italic: false };
    else style = {};
  }
}

/** A line as texts, each where its column is; several spaces divide texts, since a browser joins them. */
function lineText(line, y) {
  const texts = [...partsOf(line)].flatMap(({ text, column, ...style }) =>
    [...text.matchAll(/\S+(?: \S+)*/g)].map((found) => ({ shown: found[0], at: column + found.index, ...style })),
  );
  return texts
    .map(({ shown, at, colour, bold, italic }) => {
      const fill = colour === undefined ? '' : ` fill="${colour}"`;
      const style = `${bold ? ' font-weight="bold"' : ''}${italic ? ' font-style="italic"' : ''}`;
      const place = `x="${(room + at * wide).toFixed(1)}" y="${y}" textLength="${([...shown].length * wide).toFixed(1)}"`;
      return `<text ${place}${fill}${style}>${xml(shown)}</text>`;
    })
    .join('');
}

/** A picture of a terminal as SVG. @param outputs the output of each panel, with escape codes */
export function terminalPicture(outputs) {
  const texts = panels.flatMap(({ line, lines }, i) => [
    ...(i > 0 ? [''] : []),
    `\u001b[90m$\u001b[0m \u001b[1m${line}\u001b[0m`,
    ...outputs[i].trimEnd().split('\n').slice(0, lines),
  ]);
  const columns = Math.max(...texts.map((line) => [...partsOf(line)].reduce((sum, { text }) => sum + text.length, 0)));
  const [width, height] = [Math.ceil(2 * room + columns * wide), 2 * room + texts.length * high];
  const body = texts.map((line, i) => lineText(line, room + (i + 0.75) * high)).filter(Boolean);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>${panels.map(({ line }) => line).join(', ')}</title>
<rect width="100%" height="100%" rx="8" fill="${background}"/>
<g fill="${foreground}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">
${body.join('\n')}
</g>
</svg>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '../..');
  const program = join(root, 'bin/tw-snap.cjs');
  const outputs = panels.map(({ line }) =>
    execFileSync(process.execPath, [program, ...line.split(' ').slice(1), ...look], { cwd: root, encoding: 'utf8' }),
  );
  writeFileSync(join(root, '.github/terminal.svg'), terminalPicture(outputs));
}
