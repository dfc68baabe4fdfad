// debian.mjs: makes release/files/tw-snap_VERSION_ARCH.deb of what binaries.mjs left in release/binary, with dpkg-deb.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { date, license, maintainer, name, refuse, repository, summary, version } from './facts.mjs';

const from = 'release/binary';
const root = 'release/deb';
if (!existsSync(from)) refuse(`there is no ${from}: npm run binaries makes it`);
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
rmSync(root, { recursive: true, force: true });

function put(path, content) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content, { mode: 0o644 });
}

mkdirSync(join(root, 'usr/bin'), { recursive: true });
copyFileSync(join(from, name), join(root, 'usr/bin', name));
for (const page of readdirSync(join(from, 'man'))) {
  put(`usr/share/man/man1/${page}.gz`, gzipSync(readFileSync(join(from, 'man', page)), { level: 9 }));
}
const completion = (file) => readFileSync(join(from, 'completion', file));
put(`usr/share/bash-completion/completions/${name}`, completion('tw-snap.bash'));
put(`usr/share/zsh/vendor-completions/_${name}`, completion('_tw-snap'));
put(`usr/share/fish/vendor_completions.d/${name}.fish`, completion('tw-snap.fish'));
put(`usr/share/${name}/network-json.py`, readFileSync(join(from, 'network-json.py')));
const licence = readFileSync(join(from, 'LICENSE'), 'utf8');
put(
  `usr/share/doc/${name}/copyright`,
  `${repository} (${license})\n\n${licence}\nWhat it contains of others is in the files beside this one.\n`,
);
for (const file of ['THIRD-PARTY-LICENSES.txt', 'NODE-LICENSE.txt']) {
  put(`usr/share/doc/${name}/${file}.gz`, gzipSync(readFileSync(join(from, file)), { level: 9 }));
}
const day = new Date(`${date}T00:00:00Z`).toUTCString().replace('GMT', '+0000');
const entry = `${name} (${version}) unstable; urgency=medium\n\n  * See ${repository}/blob/main/CHANGELOG.md\n\n -- ${maintainer}  ${day}\n`;
put(`usr/share/doc/${name}/changelog.gz`, gzipSync(entry, { level: 9 }));
// Node contains copies of libraries.
put(`usr/share/lintian/overrides/${name}`, `${name}: embedded-library *\n`);
const size = execFileSync('du', ['-sk', join(root, 'usr')], { encoding: 'utf8' }).split('\t')[0];
put(
  'DEBIAN/control',
  `Package: ${name}
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${size}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 9)
Section: utils
Priority: optional
Homepage: ${repository}
Description: ${summary}
 Decodes snapshots, deltas, messages, packets, demos and captures, and
 explains what every byte means. Checks checksums, compares snapshots,
 cuts and repairs demos, and writes tables for analysis.
`,
);
const file = `release/files/${name}_${version}_${architecture}.deb`;
mkdirSync('release/files', { recursive: true });
execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, file], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
rmSync(root, { recursive: true });
console.log(`${(statSync(file).size / 1e6).toFixed(1).padStart(6)} MB  ${file}`);
