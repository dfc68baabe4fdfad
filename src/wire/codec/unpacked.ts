import { Beginnings } from '../bytes/copy.ts';

// A file of its own, so that applying a delta does not load Huffman's tables.

/**
 * The ints that were unpacked last. A delta is applied in place, since a copy costs as much as unpacking 20 ints;
 * others are copied here.
 */
export const unpacked = new Int32Array(1 << 16);
export const unpackedFrom = new Beginnings(unpacked);

/** An object that refers to {@link unpacked}. */
export interface UserOfUnpacked {
  /** Copies the ints that it needs, since others are unpacked now. */
  release(): void;
}

let lastUser: UserOfUnpacked | undefined;

/**
 * Has to be called before {@link unpacked} is filled for a user, or for none. A user that fills it again does not need
 * its last ints.
 */
export function useUnpacked(user: UserOfUnpacked | undefined): void {
  if (lastUser === user) return;
  lastUser?.release();
  lastUser = user;
}
