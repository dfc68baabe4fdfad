/** `0.6` includes DDNet. DDNet also serves clients of `0.7`, with extended items among those of 0.7. */
export type Version = '0.5' | '0.6' | '0.7';
/** All protocol versions, oldest first. */
export const versions: readonly Version[] = ['0.5', '0.6', '0.7'];
