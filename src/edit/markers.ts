/** What a header has room for. */
const maxMarkers = 64;
/** The games' recorders keep markers at least a second apart. */
const apartTicks = 50;

/** Rising markers, a second apart at least, as many as a header has room for: what comes too soon or is too much is left out. */
export function markersOf(ticks: readonly number[]): { readonly markers: readonly number[]; readonly dropped: number } {
  const markers: number[] = [];
  let dropped = 0;
  for (const tick of [...new Set(ticks)].sort((a, b) => a - b)) {
    const last = markers.at(-1);
    if ((last !== undefined && tick - last < apartTicks) || markers.length >= maxMarkers) dropped++;
    else markers.push(tick);
  }
  return { markers, dropped };
}
