/** The tuning of the games themselves in hundredths, in the order of the message. Source: `game/tuning.h` of 0.6. */
export const gameTuning: readonly number[] = [
  ...[1000, 200, 50, 1320, 1200, 500, 150, 95],
  ...[38_000, 8000, 300, 1500, 50],
  ...[55_000, 200_000, 140],
  ...[125, 220_000, 200],
  ...[125, 275_000, 80, 20],
  ...[700, 100_000, 200],
  ...[80_000, 15_000, 100, 0, 500],
  ...[100, 100],
];
