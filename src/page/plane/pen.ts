import { styled } from '../dom.ts';

type Point = readonly [x: number, y: number];

export const font = (pixels: number) => `${pixels}px ui-sans-serif, system-ui, sans-serif`;

/** Draws shapes on a canvas, in its pixels. */
export class Pen {
  readonly context: CanvasRenderingContext2D;

  constructor(context: CanvasRenderingContext2D) {
    this.context = context;
  }

  line([fromX, fromY]: Point, [toX, toY]: Point, stroke: string, width: number): void {
    const { context } = this;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
    context.stroke();
  }

  ring([x, y]: Point, radius: number, stroke: string, width: number): void {
    this.#circle(x, y, radius);
    this.#outline(stroke, width);
  }

  disc([x, y]: Point, radius: number, fill: string, outline?: string, width = Math.max(1, radius / 8)): void {
    this.#circle(x, y, radius);
    this.context.fillStyle = fill;
    this.context.fill();
    if (outline !== undefined) this.#outline(outline, width);
  }

  /** A polygon. Its points are relative to the first argument, in multiples of `scale`. */
  polygon([x, y]: Point, scale: number, points: readonly Point[], fill: string, outline: string): void {
    const { context } = this;
    context.beginPath();
    for (const [dx, dy] of points) context.lineTo(x + dx * scale, y + dy * scale);
    context.closePath();
    context.fillStyle = fill;
    context.fill();
    this.#outline(outline, 1);
  }

  /** A text in a colour of the style sheet, with an outline that sets it off from what is behind it. */
  label(text: string, x: number, y: number, color: string): void {
    const { context } = this;
    context.font = font(11);
    context.lineWidth = 3;
    context.strokeStyle = styled('--panel');
    context.fillStyle = styled(color);
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }

  #circle(x: number, y: number, radius: number): void {
    this.context.beginPath();
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
  }

  #outline(stroke: string, width: number): void {
    this.context.strokeStyle = stroke;
    this.context.lineWidth = width;
    this.context.stroke();
  }
}
