/** Milliseconds without a piece that are a pause. */
const pauseTime = 1000;

/** The pieces of an input; calls `onPause` once each time that nothing comes for a while. */
export async function* withPauses(
  pieces: AsyncIterable<Uint8Array>,
  onPause: () => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  const source = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = source.next();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const pause = new Promise<'pause'>((done) => {
        timer = setTimeout(done, pauseTime, 'pause');
      });
      const first = await Promise.race([next, pause]).finally(() => clearTimeout(timer));
      if (first === 'pause') await onPause();
      const { value, done } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    await source.return?.();
  }
}
