import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { execFileSync, spawnSync, tool } from './host.ts';
import { program } from './program.ts';

/** The completions of a shell at the end of `line`, by the built program, in a folder that contains `match.demo`. */
export function offered(shell: 'bash' | 'zsh' | 'fish', line: string): string[] {
  const place = mkdtempSync(join(tmpdir(), 'tw-snap-shell-'));
  try {
    mkdirSync(join(place, 'bin'));
    const start = `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`;
    writeFileSync(join(place, 'bin/tw-snap'), start, { mode: 0o755 });
    writeFileSync(join(place, 'script'), execFileSync(process.execPath, [program, 'completion', shell]));
    writeFileSync(join(place, 'match.demo'), '');
    writeFileSync(join(place, 'ask'), asking[shell](line));
    const { stdout, stderr, status } = spawnSync(tool(shell), [...bare[shell], 'ask'], {
      cwd: place,
      encoding: 'utf8',
      timeout: 240_000,
      env: { ...process.env, PATH: `${join(place, 'bin')}:${process.env.PATH}`, HOME: place, TERM: 'dumb' },
    });
    if (status !== 0 || stderr !== '') throw new Error(`${shell}: exit ${status}\n${stdout}${stderr}`);
    return [...new Set(shownBy[shell](stdout))].sort();
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const bare = { bash: ['--norc', '--noprofile'], zsh: ['-f'], fish: ['--no-config'] };
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A script that prints the completions. */
const asking = {
  // readline treats `=` as a separate word.
  bash: (line: string) => `source ./script
COMP_WORDS=(${line
    .split(/(?:(=)| )/)
    .filter((word) => word !== undefined)
    .map(quoted)
    .join(' ')})
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
files=yes
compopt() { files=no; }
_tw_snap
if [[ $files == yes ]]; then COMPREPLY+=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
printf '%s\\n' "\${COMPREPLY[@]}"
`,
  fish: (line: string) => `source ./script\ncomplete -C ${quoted(line)}\n`,
  // Runs in a separate terminal, which prints the added text and then a mark.
  zsh: (line: string) => `print -r -- ${quoted(zshInner)} > inner
zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner 'source ./inner; print READY""DONE'
zpty -r inner said '*READYDONE*'
zpty -w -n inner ${quoted(line)}$'\\t'
zpty -r inner said '*READYDONE*'
print -r -- $said
zpty -d inner
`,
};

const zshInner = `PROMPT=
unsetopt zle_bracketed_paste beep 2>/dev/null
autoload -Uz compinit && compinit -u -D
source ./script
compadd() {
  if (( \${argv[(I)-[ADO]]} )); then builtin compadd "$@"; return; fi
  local -a offered
  builtin compadd -O offered "$@"
  (( $#offered )) && print -rl -- "<"$^offered">"
  builtin compadd "$@"
}
done_completing() { print "READY""DONE" }
comppostfuncs=(done_completing)
bindkey '^I' complete-word
`;

/** The completions in the output. */
const shownBy = {
  bash: (text: string) => text.split('\n').filter((text) => text !== ''),
  fish: (text: string) =>
    text
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => text.split('\t')[0]!),
  zsh: (text: string) => [...text.matchAll(/<([^<>\r\n]*)>/g)].map(([, word]) => word!),
};
