import type { Command } from 'commander';
import { exit } from '../lib/errors.ts';
import type { Io } from '../lib/io.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { treeOf } from './tree.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const definition = {
  arguments: { '<shell>': 'the shell' },
  choices: Object.keys(scripts),
  options: {},
  help: `
Examples:
  source <(tw-snap completion bash)      # in ~/.bashrc
  source <(tw-snap completion zsh)       # in ~/.zshrc, after compinit
  tw-snap completion fish | source       # in ~/.config/fish/config.fish`,
};

/** `tw-snap completion SHELL` */
export async function run(
  [shell]: readonly (string | undefined)[],
  _: object,
  io: Io,
  whole: () => Promise<Command>,
): Promise<number> {
  await io.stdout.write(scripts[shell as keyof typeof scripts](treeOf(await whole())));
  return exit.fine;
}
