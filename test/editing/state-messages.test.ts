import { expect, it } from 'vitest';
import { StateMessages, WaitingMessages } from '../../src/editing/state-messages.ts';
import type { MessageEntry } from '../../src/recording/replay/record.ts';
import { entriesOf } from '../support/edit.ts';
import { read } from '../support/samples.ts';

/** A message of the sample as if it had this many bytes. */
function messageOf(name: string, bytes: number): MessageEntry {
  for (const entry of entriesOf(read('ddnet-race-player.demo'))) {
    if (entry.record !== 'message' || entry.message.type?.name !== name) continue;
    const { stream, head, message, direction } = entry;
    const long = new Uint8Array(bytes);
    long.set(entry.bytes);
    return { record: 'message', stream, direction, head, message, bytes: long };
  }
  throw new Error(`no ${name}`);
}

it('messages that wait, or set the state, take at most 16 MiB together', () => {
  const megabyte = messageOf('sv_voteoptionlistadd', 1 << 20);
  const [waiting, state] = [new WaitingMessages(), new StateMessages()];
  for (let i = 0; i < 100; i++) {
    waiting.add(megabyte);
    state.add(megabyte);
  }
  expect(waiting.take().length).toBe(15);
  expect([...state.messages()].length).toBe(15);
});

it('a message that replaces another takes no more memory', () => {
  const state = new StateMessages();
  const tuning = messageOf('sv_tuneparams', 1 << 20);
  for (let i = 0; i < 100; i++) state.add(tuning);
  expect([...state.messages()].map(({ number }) => number)).toEqual([100]);
});
