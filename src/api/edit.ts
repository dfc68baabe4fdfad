/**
 * Demos that are cut, changed, repaired, joined, or made from a capture: records in, records out, and a demo at the end.
 *
 * @module tw-snap/edit
 */
export { ClientDemo } from '../edit/client-demo.ts';
export { Concat } from '../edit/concat.ts';
export { DemoRecorder, type LastByteMode, writeDemo } from '../edit/demo-recorder.ts';
export { Editor } from '../edit/editor.ts';
export { Rename } from '../edit/names.ts';
export { Repairer } from '../edit/repair.ts';
export { type Emit, Slicer, type SliceTarget } from '../edit/slice.ts';
export { Strip } from '../edit/strip.ts';
