import { Argument, type Command } from 'commander';
import { bashScript } from './completion-bash.ts';
import { fishScript } from './completion-fish.ts';
import { treeOf } from './completion-tree.ts';
import { zshScript } from './completion-zsh.ts';
import { exit } from './errors.ts';
import type { Io } from './io.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function define(command: Command): Command {
  return command
    .addArgument(new Argument('<shell>', 'whose script to print').choices(Object.keys(scripts)))
    .addHelpText('after', examples);
}

const examples = `
Examples:
  source <(tw-snap completion bash)      # in ~/.bashrc
  source <(tw-snap completion zsh)       # in ~/.zshrc, after compinit
  tw-snap completion fish | source       # in ~/.config/fish/config.fish`;

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
