// A command ends within a second or so, and by then much of what V8 compiled a second time, with all that it calls, has
// not paid. So V8 begins later with it. Computing time, medians of five to nine in turn: Node 20 a small demo 0.81, 34
// players 0.84, a capture of 4,599 snapshots 0.90; Node 22 (twice as late) 0.80 and 0.81. V8 compiles on a thread of its
// own: where a core is free for it, the main thread takes 0.98, 0.99 and 1.13. Node 24, 0.95 and 1.07, stays as it is.
const flags = { 20: '--interrupt-budget=220000', 22: '--invocation-count-for-turbofan=6000' };
const { versions } = process;
const flag = flags[Number.parseInt(versions.node, 10)];
// Deno and Bun say that they are a Node, too.
if (flag && versions.v8 && !versions.deno && !versions.bun) require('node:v8').setFlagsFromString(flag);
