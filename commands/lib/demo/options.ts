import type { Command } from 'commander';
import { withColor, withSchema } from '../options.ts';

/** Options of the commands that write demos. */
export interface DemoOptions {
  readonly schema?: string;
  readonly output?: string;
  readonly color: string;
}

export function withDemoOutput(command: Command, output = "the demo to write; '-' for standard output"): Command {
  return withColor(withSchema(command).option('-o, --output <file>', output));
}
