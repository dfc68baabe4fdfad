/**
 * Whether games take a skin's name; in place of another they show the skin `default`. DDNet asks for a file's name that
 * every system has: `CSkin::IsValidName` in `src/game/client/skin.cpp`, `str_valid_filename` in `src/base/str.cpp`.
 */
export const isSkinName = (name: string): boolean =>
  new TextEncoder().encode(name).length < maxSkinBytes && fileName.test(name) && !reserved.test(name);

const maxSkinBytes = 24;
/** No control or reserved sign, no space or period at an end, no two spaces in a row. */
const fileName = /^(?! )(?!.* {2})[^\p{Cc}\\/|:*?<>"]+(?<![ .])$/u;
/** Devices of Windows. */
const reserved = /^(?:con|prn|aux|nul|(?:com|lpt)[0-9¹²³])(?:\..*)?$/i;
