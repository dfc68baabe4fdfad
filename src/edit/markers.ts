/** The maximum number of markers in a header. */
const maxMarkers = 64;
/** The minimum distance of markers in the games' recorders, one second. */
const apartTicks = 50;

/** The markers that fit into a header, in ascending order and at least a second apart; the others are left out. */
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
