/** Items whose id is the number of a client. */
export const clientItems: ReadonlySet<string> = new Set([
  'obj_character',
  'obj_player_info',
  'obj_client_info',
  'obj_de_client_info',
  'obj_player_info_race',
  'ddnet_character',
  'ddnet_player',
  'spec_char',
]);
