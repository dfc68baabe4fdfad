interface Known<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * The value of a key in a map; if there is none, one is made and kept. For each record `make` is a constant: a new
 * function takes longer.
 */
export function getOr<Key, Value>(map: Known<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make(key);
  map.set(key, made);
  return made;
}
