/** Throws what a wrong argument is, and what was expected: programs in JavaScript can pass anything. */
export function expects(name: string, expected: string, found: unknown): never {
  const type =
    found === null ? 'null' : typeof found === 'object' ? (found.constructor?.name ?? 'object') : typeof found;
  const shown = typeof found === 'string' || typeof found === 'number' ? `${type} ${JSON.stringify(found)}` : type;
  throw new TypeError(`${name} expects ${expected}; got ${/^undefined|^null/.test(shown) ? shown : `the ${shown}`}`);
}

/** Refuses an option that a function does not have: a misspelt one would change nothing, and nobody would know. */
export function checkOptions(name: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    expects(name, `an object with options: ${known.join(', ')}`, options);
  }
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new TypeError(`${name} has no option ${JSON.stringify(unknown)}; it has ${known.join(', ')}`);
  }
}
