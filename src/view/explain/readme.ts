import { type Explanation, itemsOf } from '../../explain/explanation.ts';
import type { Reproduction } from '../../explain/reproduction.ts';
import { causeText } from './causes.ts';

/** The README of a reproduction, as Markdown. */
export function renderReadme(
  explanation: Explanation,
  { protocol, delta, announced, rebuilt, isReduced }: Reproduction,
) {
  const { verdict } = explanation;
  const text = verdict && causeText(verdict, itemsOf(explanation, verdict), protocol);
  const name = delta && rebuilt !== undefined ? 'delta.json' : 'delta.packed';
  const result = rebuilt === undefined ? 'the delta can not be read to its end' : `a client rebuilds ${rebuilt}`;
  const lines = [
    `# ${text?.title ?? 'A snapshot with another checksum than announced'}`,
    '',
    ...(text ? [`Meaning: ${text.meaning}.`, '', `Look for: ${text.whereToLook}.`, ''] : []),
    `- \`base.json\`: the snapshot that the client has${isReduced ? ', with the items in question alone' : ''}`,
    `- \`${name}\`: the delta that the server sends`,
    `- announced checksum: ${announced}; ${result}`,
    '',
    '```sh',
    `tw-snap decode ${name} --base base.json -p ${protocol.version}`,
    `tw-snap explain base.json ${name} --expect ${announced} -p ${protocol.version}`,
    '```',
  ];
  return `${lines.join('\n')}\n`;
}
