import type { Platform } from '../../../src/input/decompress/decompress.ts';

/** Node's zlib, loaded for compressed inputs only, to keep start-up fast. */
export const nodePlatform: Platform = {
  inflater: async () => (await import('./zlib.ts')).inflater(),
  unzstd: async function* (pieces) {
    yield* (await import('./zlib.ts')).unzstd(pieces);
  },
};
