import { getOr } from '../../wire/bytes/get-or.ts';

/*
 * Texts on the plane are drawn once, each as a picture of its own. For a text on a canvas of the document a browser
 * first brings the document's layout up to date, which a step of play has just made invalid; a canvas outside the
 * document has none.
 */

interface TextStyle {
  /** The height of the font in pixels. */
  readonly size: number;
  readonly fill: string;
  readonly outline?: string;
}

interface TextPicture {
  readonly canvas: OffscreenCanvas;
  readonly width: number;
  /** From the upper edge to the line that the letters stand on, in pixels. */
  readonly ascent: number;
}

/** Room for the outline and for letters that lean out of their box, in pixels. */
const margin = 4;
const outlineWidth = 3;

/** Pictures that are kept: the names of 128 players, numbers at the edges, letters in a few sizes. */
const maxPictures = 600;
const pictures = new Map<string, TextPicture>();
const widths = new Map<string, number>();
const measuring = new OffscreenCanvas(1, 1).getContext('2d')!;

const fontOf = (size: number) => `${size}px ui-sans-serif, system-ui, sans-serif`;

/** The width of a text in pixels. */
export function widthOfText(text: string, size: number): number {
  const font = fontOf(size);
  if (widths.size > maxPictures) widths.clear();
  return getOr(widths, `${font} ${text}`, () => {
    measuring.font = font;
    return measuring.measureText(text).width;
  });
}

/** Draws a text whose letters stand at `y`. It begins at `x`, or has its middle there if `textAlign` is `center`. */
export function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  [x, y]: readonly [x: number, y: number],
  style: TextStyle,
): void {
  const { size, fill, outline } = style;
  if (pictures.size > maxPictures) pictures.clear();
  const ratio = devicePixelRatio;
  const key = `${size} ${fill} ${outline} ${ratio} ${text}`;
  const { canvas, width, ascent } = getOr(pictures, key, () => textPicture(text, style, ratio));
  const left = x - margin - (context.textAlign === 'center' ? width / 2 : 0);
  // Letters stay sharp if their pixels lie on pixels of the canvas.
  const place = (at: number) => Math.round(at * ratio) / ratio;
  context.drawImage(canvas, place(left), place(y - ascent), canvas.width / ratio, canvas.height / ratio);
}

function textPicture(text: string, { size, fill, outline }: TextStyle, ratio: number): TextPicture {
  const width = widthOfText(text, size);
  const ascent = margin + size;
  const canvas = new OffscreenCanvas(
    Math.ceil((width + 2 * margin) * ratio),
    Math.ceil((ascent + size / 2 + margin) * ratio),
  );
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  context.font = fontOf(size);
  context.fillStyle = fill;
  if (outline !== undefined) {
    context.lineWidth = outlineWidth;
    context.lineJoin = 'round';
    context.strokeStyle = outline;
    context.strokeText(text, margin, ascent);
  }
  context.fillText(text, margin, ascent);
  return { canvas, width, ascent };
}
