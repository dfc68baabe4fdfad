import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { lastUpTo, type Mark } from '../data/marks.ts';
import type { State, Store } from '../data/store.ts';
import { h, onScheme, onSize, styled } from '../elements/dom.ts';

/** The distance, in pixels, within which the slider snaps to a mark. */
const snapReach = 4;
/** A mark is named for this time after it, in ticks. */
const namedTicks = 3 * ticksPerSecond;
/** The slider's thumb keeps half its width from both ends, in pixels. */
const halfThumb = 8;
const marksHeight = 8;

/**
 * The slider over all ticks, with the marks of events and findings below it and the text of the one that is near.
 * @param goTo is called with a tick while the slider moves
 */
export function sliderView(store: Store<State>, goTo: (tick: number) => void): HTMLElement {
  const slider = h('input', {
    type: 'range',
    'aria-label': 'snapshot',
    oninput: () => goTo(markNear(slider.valueAsNumber)?.tick ?? slider.valueAsNumber),
  });
  const canvas = h('canvas', { class: 'marks', 'aria-hidden': 'true' });
  const said = h('span', { class: 'mark', 'aria-hidden': 'true' });
  const element = h('span', { class: 'slider' }, slider, canvas, said);
  let width = 1;

  function markNear(tick: number): Mark | undefined {
    const { marks, recording } = store.state;
    const after = lastUpTo(marks.length, (i) => marks[i]!.tick, tick);
    const distance = (i: number) => Math.abs((marks[i]?.tick ?? Number.POSITIVE_INFINITY) - tick);
    const nearest = distance(after) <= distance(after + 1) ? after : after + 1;
    const { from, to } = recording.ticks;
    // The keys Home and End go to the ends.
    const isNear = tick !== from && tick !== to && distance(nearest) <= (snapReach / width) * (to - from);
    return isNear ? marks[nearest] : undefined;
  }

  function drawMarks(): void {
    const { marks, found, recording, repeated } = store.state;
    const { from, to } = recording.ticks;
    const x = (tick: number) => halfThumb + ((tick - from) / Math.max(1, to - from)) * (width - 2 * halfThumb);
    canvas.width = Math.round(width * devicePixelRatio);
    canvas.height = Math.round(marksHeight * devicePixelRatio);
    const context = canvas.getContext('2d')!;
    context.scale(devicePixelRatio, devicePixelRatio);
    if (repeated) {
      context.fillStyle = styled('--lit');
      context.fillRect(x(repeated.from), 0, x(repeated.to) - x(repeated.from), marksHeight);
    }
    for (const { tick, color } of [...marks, ...found.map(({ tick: at }) => ({ tick: at, color: '--accent' }))]) {
      context.fillStyle = styled(color);
      context.strokeStyle = styled(color);
      drawMark(context, color, x(tick));
    }
  }

  function show(): void {
    const { recording, position, marks } = store.state;
    const { tick } = recording.snapshot(position);
    slider.value = String(tick);
    const last = marks[lastUpTo(marks.length, (i) => marks[i]!.tick, tick)];
    const text = last && tick - last.tick < namedTicks ? last.text : '';
    said.textContent = text;
    slider.setAttribute('aria-valuetext', [`tick ${tick}`, recording.timeOf(tick), text].filter(Boolean).join(', '));
  }

  element.addEventListener('pointermove', ({ offsetX }) => {
    const { from, to } = store.state.recording.ticks;
    said.textContent = markNear(from + ((offsetX - halfThumb) / (width - 2 * halfThumb)) * (to - from))?.text ?? '';
  });
  store.on(['recording'], () => {
    const { from, to } = store.state.recording.ticks;
    slider.min = String(from);
    slider.max = String(to);
  });
  store.on(['recording', 'position', 'marks'], show);
  store.on(['recording', 'marks', 'found', 'repeated'], drawMarks);
  onScheme(drawMarks);
  onSize(element, (newWidth) => {
    width = newWidth;
    drawMarks();
  });
  return element;
}

/** A cross for a kill, a dot for chat, and a bar for what else there is. */
function drawMark(context: CanvasRenderingContext2D, color: string, x: number): void {
  if (color === '--error') {
    context.lineWidth = 1.2;
    context.beginPath();
    for (const side of [-2.2, 2.2]) {
      context.moveTo(x - side, 1.5);
      context.lineTo(x + side, 6.5);
    }
    context.stroke();
  } else if (color === '--text') {
    context.beginPath();
    context.arc(x, 4, 1.5, 0, 2 * Math.PI);
    context.fill();
  } else context.fillRect(x - 0.75, 0.5, 1.5, 7);
}
