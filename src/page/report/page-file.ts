import { sha256 } from '@noble/hashes/sha2.js';
import { printable } from '../../output/text/escape.ts';

export interface PageParts {
  readonly title: string;
  readonly script: string;
  /** The script, compressed with gzip, in base64. */
  readonly program: string;
  /** The licences of the packages in the script. */
  readonly licences: string;
  /** The report's data, compressed with gzip, in base64. */
  readonly reportData: string;
}

/** Runs the program that is in the page in compressed form. Its policy allows only that script. */
const loader = `(async () => {
  const packed = Uint8Array.from(atob(document.getElementById('program').textContent), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const script = document.createElement('script');
  script.textContent = await new Response(stream).text();
  document.body.append(script);
})().catch((error) => document.body.append('This page cannot be shown: ' + error));`;

/**
 * A page in one file. Its policy allows only its own script, by its hash, which brings the style, and loads nothing.
 * Untrusted text is only in the data and in the title.
 */
export function renderPage({ title, script, program, licences, reportData }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(loader)}' '${hashOf(script)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page decodes its data with JavaScript: enable JavaScript to see it.</noscript>
<script type="application/octet-stream" id="report-data">${reportData}</script>
<script type="application/octet-stream" id="program">${program}</script>
<script>${loader}</script>
<!--
${licences.replaceAll('-->', '-- >')}
-->
</body>
</html>
`;
}

const hashOf = (text: string) => `sha256-${btoa(String.fromCharCode(...sha256(new TextEncoder().encode(text))))}`;

const escapeHtml = (text: string) => printable(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
