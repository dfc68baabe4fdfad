/** What is said of a delta whose updates look like whole items. */
export const emptyBaseText = 'base taken as empty';

/** What is said of a delta whose base is not known, where it is shown all the same. */
export const differencesText = 'without --base, updated items show differences';

/** Why a delta is no snapshot, with the way out, in words that follow the name of the input. */
export const unknownBaseText = 'this delta has differences to a base that is not known: name it with --base';
