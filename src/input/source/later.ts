/**
 * Loads a module when it is first needed, to keep start-up fast; each `import()` of the bundle copies all names of the
 * module.
 */
export function later<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loaded: Promise<Module> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
