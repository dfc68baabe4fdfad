import type { Command } from 'commander';
export const define = (command: Command) => command;
export const run = async () => 0;
