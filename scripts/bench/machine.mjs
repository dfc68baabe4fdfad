import { availableParallelism, cpus } from 'node:os';
import process from 'node:process';

/** The date and machine of a measurement: `2026-11-21, Intel Xeon 2.50 GHz, 2 cores, Node 20.20.2`. */
export function machine() {
  const day = new Date().toISOString().slice(0, 10);
  const model = (cpus()[0]?.model ?? 'unknown CPU').replace(/\s+/g, ' ').trim();
  return `${day}, ${model}, ${availableParallelism()} cores, Node ${process.versions.node}`;
}
