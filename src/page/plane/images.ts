export type Source = HTMLCanvasElement | ImageBitmap;

export function canvasOf(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  return canvas;
}

/** The pixels of a PNG; undefined if it is damaged. */
export const imageOf = (png: Uint8Array): Promise<ImageBitmap | undefined> =>
  createImageBitmap(new Blob([png.slice()], { type: 'image/png' })).catch(() => undefined);

/**
 * An image multiplied by a colour.
 * @param prepare changes its pixels before
 */
export function multiplied(image: Source, colour: string, prepare?: (pixels: ImageData) => void): HTMLCanvasElement {
  const { width, height } = image;
  const canvas = canvasOf(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: prepare !== undefined })!;
  context.drawImage(image, 0, 0);
  if (prepare) {
    const pixels = context.getImageData(0, 0, width, height);
    prepare(pixels);
    context.putImageData(pixels, 0, 0);
  }
  context.globalCompositeOperation = 'multiply';
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  context.globalCompositeOperation = 'destination-in';
  context.drawImage(image, 0, 0);
  return canvas;
}
