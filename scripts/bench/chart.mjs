// A chart of the time of other programs as a multiple of ours, as SVG: one bar per recording and program.
const [labelWidth, barWidth, barHeight, gap, top] = [360, 440, 14, 10, 58];
const colours = ['#3b82c4', '#c9822f', '#6f9a3e'];

/**
 * @param rows the name of each recording with the ratios of the programs, undefined for one that cannot read it
 * @param names the names of the programs, at most three
 */
export function chartOf(rows, names) {
  const largest = Math.max(1, ...rows.flatMap(({ ratios }) => ratios.map((ratio) => ratio ?? 0)));
  const x = (ratio) => Math.round(labelWidth + (ratio / largest) * barWidth);
  const rowHeight = names.length * barHeight + gap;
  const height = top + rows.length * rowHeight + 8;
  const bars = rows.flatMap(({ name, ratios }, i) => {
    const y = top + i * rowHeight;
    const middle = y + (rowHeight - gap) / 2 + 4;
    return [
      `<text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${escaped(name)}</text>`,
      ...ratios.flatMap((ratio, peer) => {
        if (ratio === undefined) return [];
        const at = y + peer * barHeight;
        const width = x(ratio) - labelWidth;
        return [
          `<rect x="${labelWidth}" y="${at}" width="${width}" height="${barHeight - 2}" fill="${colours[peer]}"/>`,
          `<text x="${x(ratio) + 6}" y="${at + 10}">${ratio.toFixed(2)}</text>`,
        ];
      }),
    ];
  });
  const legend = names.map((name, i) => {
    const at = labelWidth + i * 150;
    return `<rect x="${at}" y="28" width="10" height="10" fill="${colours[i]}"/><text x="${at + 16}" y="37">${escaped(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${labelWidth + barWidth + 60} ${height}" font-family="sans-serif" font-size="11">
<title>Time of other programs as multiples of that of tw-snap</title>
<style>text{fill:#333}@media(prefers-color-scheme:dark){text{fill:#ccc}}</style>
<text x="${labelWidth}" y="16" font-size="13">time, tw-snap = 1</text>
${[...legend, ...bars].join('\n')}
<line x1="${x(1)}" y1="${top - 8}" x2="${x(1)}" y2="${height - 8}" stroke="#888" stroke-dasharray="3 3"/>
</svg>
`;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
