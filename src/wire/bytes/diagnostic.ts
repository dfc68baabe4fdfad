/**
 * The codes of everything that can be unusual or wrong in an input. The core reports a code with the numbers that
 * disagree; the view has the messages. What the games tolerate is a warning, what they refuse is a {@link DecodeError}.
 */
export type Code =
  // bytes
  | 'empty_input'
  | 'input_too_large'
  | 'bad_hex'
  | 'cut_text'
  | 'bad_json'
  | 'bad_schema'
  | 'bad_budget'
  | 'unrecognised'
  | 'undecided'
  // huffman
  | 'huffman_no_eof'
  | 'huffman_output_full'
  | 'huffman_after_eof'
  | 'huffman_padding'
  // varint
  | 'truncated_varint'
  | 'overlong_varint'
  | 'varint_padding'
  | 'ints_not_aligned'
  // delta
  | 'truncated_delta'
  | 'negative_count'
  | 'nonzero_zero'
  | 'bad_type'
  | 'bad_id'
  | 'bad_size'
  | 'excess_ints'
  | 'removed_twice'
  | 'removed_and_updated'
  | 'updated_twice'
  | 'size_differs'
  // snapshot
  | 'truncated_snapshot'
  | 'bad_data_size'
  | 'bad_offset'
  | 'first_offset'
  | 'duplicate_key'
  | 'invalid_key'
  | 'data_without_items'
  | 'too_many_items'
  | 'snapshot_too_large'
  | 'unusual_size'
  | 'missing_registration'
  | 'late_registration'
  | 'out_of_bounds'
  | 'never_sent'
  // apply
  | 'unknown_removed'
  // message
  | 'truncated_message'
  | 'unterminated_string'
  | 'not_utf8'
  | 'excess_bytes'
  | 'unknown_message'
  | 'reserved_message'
  | 'wrong_direction'
  | 'wrong_flag'
  | 'other_version_message'
  | 'unshifted_message'
  | 'out_of_place'
  | 'accept_token'
  | 'bad_parts'
  | 'changed_part'
  | 'mostly_rejected'
  // demo
  | 'not_a_demo'
  | 'demo_version'
  | 'draft_version'
  | 'demo_type'
  | 'truncated_header'
  | 'negative_length'
  | 'other_length'
  | 'marker_count'
  | 'marker_outside'
  | 'marker_twice'
  | 'header_text'
  | 'net_version'
  | 'other_net_version'
  | 'map_size'
  | 'no_sha256'
  | 'bad_map_size'
  | 'truncated_map'
  | 'truncated_chunk'
  | 'chunk_type'
  | 'empty_chunk'
  | 'bad_tick'
  | 'tick_backwards'
  | 'step_before_tick'
  | 'missing_tick'
  | 'no_keyframe'
  | 'empty_demo'
  | 'not_played'
  | 'no_snapshot_before'
  | 'framing_lost'
  | 'content_of_06'
  | 'content_of_07'
  | 'sizes_of_06'
  | 'chunk_too_large'
  | 'repeated_snapshot'
  | 'wrong_checksum'
  | 'other_tick'
  | 'other_checksum'
  | 'snapshot_missing'
  | 'other_map'
  // ghost
  | 'not_a_ghost'
  | 'ghost_version'
  | 'ghost_type'
  | 'ghost_items'
  | 'ghost_unfinished'
  | 'ghost_count'
  | 'ghost_time'
  // packet
  | 'truncated_packet'
  | 'truncated_packet_chunk'
  | 'missing_chunks'
  | 'packet_excess'
  | 'packet_padding'
  | 'header_token'
  | 'packet_too_large'
  | 'payload_too_large'
  | 'no_chunks'
  | 'connless_version'
  | 'compressed_control'
  | 'resend_in_control'
  | 'chunks_in_control'
  | 'missing_control'
  | 'unknown_control'
  | 'missing_token'
  | 'short_token_request'
  | 'unterminated_reason'
  | 'control_excess'
  | 'no_keyframe_left'
  // connection
  | 'wrong_token'
  | 'wrong_ack'
  | 'false_close'
  | 'implausible_tick'
  | 'changed_chunk'
  | 'never_acknowledged'
  | 'unanswered'
  // story
  | 'player_without_info'
  | 'character_without_player'
  | 'impossible_speed'
  | 'outside_map'
  | 'items_dropped'
  | 'unregistered_items'
  | 'two_recorders'
  | 'newer_items'
  | 'others_absent'
  | 'recorders_alternate'
  | 'recorder_changes'
  | 'never_answered'
  | 'never_went_on'
  | 'flood'
  | 'limit_reached'
  | 'unknown_client'
  | 'message_before_snapshot'
  | 'not_stopped'
  // capture
  | 'not_a_capture'
  | 'not_a_recording'
  | 'truncated_record'
  | 'records_lost'
  | 'bad_block'
  | 'unknown_interface'
  | 'unknown_link_type'
  | 'unread_packets'
  | 'input_failed'
  | 'too_many_connections'
  | 'cut_packet'
  | 'bad_ip'
  | 'bad_udp_length'
  | 'missing_fragments'
  | 'time_backwards'
  // zip
  | 'truncated_zip'
  | 'zip_files'
  | 'bad_zip'
  | 'encrypted_zip'
  | 'zip_method'
  // map
  | 'not_a_map'
  | 'map_version'
  | 'bad_map'
  | 'no_game_layer';

/** The values that a diagnostic speaks of, by name: numbers that disagree, a type and id, a path. */
export type Args = Readonly<Record<string, string | number>>;

/** A `warning` is tolerated by the games, an `error` is refused. */
export type Severity = 'warning' | 'error';

/** A position in an input. */
export interface Place {
  readonly offset: number;
  /** The bit in this byte, 0 the lowest; only for compressed input. */
  readonly bit?: number;
  /** The byte after decompression; only for compressed input. */
  readonly unpacked?: number;
  /** The packet of a capture, counted from 1 as Wireshark's frame numbers. */
  readonly frame?: number;
}

/** A warning or error about an input. */
export interface Diagnostic extends Place {
  readonly severity: Severity;
  readonly code: Code;
  readonly args: Args;
  /** In a demo: the games tolerate it, but none of them records it, and nothing shows that the data is right. */
  readonly isSuspect?: boolean;
}

/**
 * Receives warnings. Offsets are in units of the layer: bits for Huffman, bytes for varints and packets, ints for
 * snapshots and deltas.
 */
export type Warn = (code: Code, offset: number, args?: Args) => void;

export const ignore: Warn = () => {};

/**
 * Reading stopped at `offset`, in units of the layer that was read. The reader's result contains everything before it.
 *
 * @example
 * ```ts
 * import { DecodeError, decode } from 'tw-snap';
 *
 * try {
 *   decode(bytes, { encoding: 'packed', kind: 'delta' });
 * } catch (error) {
 *   if (!(error instanceof DecodeError)) throw error;
 *   console.log(error.code, error.offset, error.args);
 * }
 * ```
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code: Code;
  readonly offset: number;
  readonly args: Args;
  readonly #message: string | undefined;

  constructor(code: Code, offset: number, args: Args = {}, message?: string) {
    super();
    this.code = code;
    this.offset = offset;
    this.args = args;
    this.#message = message;
  }

  /**
   * Made when it is asked for: recognition tries readings that end with an error, and making their messages took half
   * of its time.
   */
  override get message(): string {
    return this.#message ?? `${this.code.replaceAll('_', ' ')} at offset ${this.offset}${detailsOf(this.args)}`;
  }
}

function detailsOf(args: Args): string {
  const details = Object.entries(args).map(([name, value]) => `${name} ${value}`);
  return details.length === 0 ? '' : ` (${details.join(', ')})`;
}

/** What `read` returns, or the error with which it stopped; any other error is thrown. */
export function attempt<T>(read: () => T): T | DecodeError {
  try {
    return read();
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}
