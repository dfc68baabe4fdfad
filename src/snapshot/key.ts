/** The games' limits; both are inclusive. */
export const maxItems = 1024;
export const maxSnapshotBytes = 0x10000;
export const maxType = 0x7fff;
export const maxId = 0xffff;

/** Local type numbers of extended (UUID) items begin here: an item of type 0 with such an id registers it. */
export const firstLocalType = 0x4000;
/** Ints of a registration's UUID. */
export const uuidInts = 4;

/** Type and id of an item in one int: `TTTT TTTT TTTT TTTT  IIII IIII IIII IIII`. */
export const keyOf = (type: number, id: number): number => (type << 16) | id;
export const typeOf = (key: number): number => key >> 16;
export const idOf = (key: number): number => key & 0xffff;
