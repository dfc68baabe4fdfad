// packages.mjs: writes what is made of the files in release/files: SHA256SUMS, notes.md, the Homebrew formula and the
// PKGBUILD.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { download, license, maintainer, name, notes, refuse, repository, summary, version } from './facts.mjs';

const folder = 'release/files';
if (!existsSync(folder)) refuse(`there is no ${folder}: npm run binaries makes it`);
const made = new Set(['SHA256SUMS', 'notes.md', `${name}.rb`, 'PKGBUILD']);
const files = readdirSync(folder).filter((file) => !made.has(file));
const sums = new Map(
  files.map((file) => [
    file,
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex'),
  ]),
);
const write = (file, text) => writeFileSync(join(folder, file), text);

write('SHA256SUMS', files.map((file) => `${sums.get(file)}  ${file}\n`).join(''));
write('notes.md', `${notes}\n`);

/** The archive of a platform, and its sum; a platform that was not built is left out. */
function archive(platform) {
  const file = `tw-snap-${platform}.tar.xz`;
  return sums.has(file) ? { url: `${download}/${file}`, sum: sums.get(file) } : undefined;
}

const brew = (system, platforms) => {
  const lines = platforms.map(([cpu, platform]) => [cpu, archive(platform)]).filter(([, entry]) => entry);
  const text = lines.map(
    ([cpu, { url, sum }]) => `    on_${cpu} do\n      url "${url}"\n      sha256 "${sum}"\n    end\n`,
  );
  return text.length === 0 ? '' : `  on_${system} do\n${text.join('')}  end\n`;
};

write(
  `${name}.rb`,
  `class TwSnap < Formula
  desc "${summary[0].toUpperCase()}${summary.slice(1)}"
  homepage "${repository}"
  version "${version}"
  license "${license}"

${brew('macos', [
  ['arm', 'macos-arm64'],
  ['intel', 'macos-x64'],
])}${brew('linux', [
  ['arm', 'linux-arm64'],
  ['intel', 'linux-x64'],
])}
  def install
    bin.install "tw-snap"
    man1.install Dir["man/*.1"]
    bash_completion.install "completion/tw-snap.bash" => "tw-snap"
    zsh_completion.install "completion/_tw-snap"
    fish_completion.install "completion/tw-snap.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tw-snap --version")
  end
end
`,
);

const arches = [
  ['x86_64', 'linux-x64'],
  ['aarch64', 'linux-arm64'],
]
  .map(([cpu, platform]) => [cpu, archive(platform)])
  .filter(([, entry]) => entry);
write(
  'PKGBUILD',
  `# Maintainer: ${maintainer}
pkgname=${name}-bin
pkgver=${version}
pkgrel=1
pkgdesc='${summary}'
arch=(${arches.map(([cpu]) => cpu).join(' ')})
url='${repository}'
license=('${license}')
depends=('glibc' 'gcc-libs')
provides=('${name}')
conflicts=('${name}')
options=('!strip')
${arches.map(([cpu, { url, sum }]) => `source_${cpu}=('${url}')\nsha256sums_${cpu}=('${sum}')\n`).join('')}
package() {
  cd tw-snap-linux-*
  install -Dm755 tw-snap "$pkgdir/usr/bin/tw-snap"
  install -Dm644 -t "$pkgdir/usr/share/man/man1" man/*.1
  install -Dm644 completion/tw-snap.bash "$pkgdir/usr/share/bash-completion/completions/tw-snap"
  install -Dm644 completion/_tw-snap "$pkgdir/usr/share/zsh/site-functions/_tw-snap"
  install -Dm644 completion/tw-snap.fish "$pkgdir/usr/share/fish/vendor_completions.d/tw-snap.fish"
  install -Dm644 -t "$pkgdir/usr/share/licenses/$pkgname" LICENSE THIRD-PARTY-LICENSES.txt
}
`,
);
