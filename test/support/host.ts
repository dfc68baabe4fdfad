import { spawnSync } from 'node:child_process';

/** Whether a program of the host can be started. Tests that need one are skipped without it and name it in their titles. */
export const hasTool = (name: string): boolean => !spawnSync(name, ['--version'], { stdio: 'ignore' }).error;
