import { bytes } from './readers.ts';

/** The 43 packed bytes of a real 0.7 delta in the DESIGN, part 2, and the words of what begins in each row. */
export const firstRows: readonly (readonly [hex: string, words: string])[] = [
  ['00 03 00 06', 'removed_items=0 num_item_deltas=3 _zero=0 type=6 obj_game_data'],
  ['00 00 01 00', 'id=0 game_start_tick=0 game_state_flags=1 (warmup) game_state_end_tick=0'],
  ['0a 00 9b 13', 'type=10 obj_character id=0 tick=1243'],
  ['90 0c b1 04', 'x=784 y=305'],
  ['00 80 02 00', 'vel_x=0 vel_y=128 angle=0'],
  ['00 00 40 00', 'direction=0 jumped=0 hooked_player=-1 hook_state=0 (idle)'],
  ['00 90 0c b0', 'hook_tick=0 hook_x=784 hook_y=304'],
  ['04 00 00 0a', 'hook_dx=0 hook_dy=0 health=10'],
  ['00 0a 01 00', 'armor=0 ammo_count=10 weapon=1 (gun) emote=0 (normal)'],
  ['00 00 0b 00', 'attack_tick=0 triggered_events=0 type=11 obj_player_info id=0'],
  ['08 00 00', 'player_flags=8 (ready) score=0 latency=0'],
];

export const firstPacked = bytes(firstRows.map(([hex]) => hex).join(' '));

/** Compressed by hand, with protocol/huffman-codes.json; the stream ends inside a byte. */
export const firstHuffman = bytes('2d da 8c f5 75 a5 ca a4 9c 8a 17 88 2b 6d 52 0e eb ad af c7 fb 27 2b 6e 00');
/** Bit of the stream where each row begins: sums of the lengths in protocol/huffman-codes.json. */
export const firstBits = ['0.0', '2.2', '3.1', '6.5', 'a.4', 'c.0', 'd.3', '10.4', '12.3', '14.0', '15.3'];

/** Its 37 ints: six of them take two bytes. */
export const firstInts = [
  ...[0, 3, 0],
  ...[6, 0, 0, 1, 0],
  ...[10, 0, 1243, 784, 305, 0, 128, 0, 0, 0, -1, 0, 0, 784, 304, 0, 0, 10, 0, 10, 1, 0, 0, 0],
  ...[11, 0, 8, 0, 0],
];
