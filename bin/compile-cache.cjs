// Node 22 and newer can keep compiled code for the next start. Node runs what it finds there, so the folder has to be
// one that only the user can write; without such a folder no code is kept.
const { existsSync, lstatSync, mkdirSync, statSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { isAbsolute, join } = require('node:path');

const { HOME = '', LOCALAPPDATA = '', NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME = '' } = process.env;
// Windows has no user ids: there it is the user's own folder for programs, which its rights keep from others.
const isWindows = process.platform === 'win32';
const ownFolder = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(HOME, '.cache');
const caches = isWindows ? LOCALAPPDATA : ownFolder;

/** Whether it is a folder of the user, in which others do not have these rights. */
const isPrivate = (about, rights) =>
  about.isDirectory() && (isWindows || (about.uid === process.getuid() && (about.mode & rights) === 0));

if (enableCompileCache && isAbsolute(caches) && !NODE_DISABLE_COMPILE_CACHE) {
  try {
    const folder = join(caches, 'tw-snap');
    // One by one: a missing home is not created, and below /proc Node 24 would try for ever to create all of a path.
    for (const path of [caches, folder]) if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
    if (isPrivate(statSync(caches), 0o022) && isPrivate(lstatSync(folder), 0o077)) enableCompileCache(folder);
  } catch {
    // A start without kept code is only slower.
  }
}
