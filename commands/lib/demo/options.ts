import { type Command, Option } from 'commander';
import { withSchema } from '../options.ts';

/** Options of the commands that write demos. */
export interface DemoOptions {
  readonly schema?: string;
  readonly output?: string;
  readonly color: string;
}

export function withDemoOutput(command: Command, output = "the demo to write; '-' for standard output"): Command {
  return withSchema(command)
    .option('-o, --output <file>', output)
    .addOption(new Option('--color <when>', 'whether to colour').choices(['auto', 'always', 'never']).default('auto'));
}
