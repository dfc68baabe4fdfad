/**
 * Text and JSON, as the commands print them.
 *
 * @module tw-snap/view
 */

export { messageJson } from '../packet/message.ts';
export { renderHexdump } from '../view/hexdump/hexdump.ts';
export { itemJson, payloadJson } from '../view/json/json.ts';
export { packetJson } from '../view/json/packet-json.ts';
export { diagnosticLine, diagnosticMessage } from '../view/text/diagnostic-messages.ts';
export { plainTheme, type Theme } from '../view/text/theme.ts';
export { CaptureAnnotator } from '../view/wireshark/capture-annotator.ts';
export { renderPostDissector } from '../view/wireshark/post-dissector.ts';
