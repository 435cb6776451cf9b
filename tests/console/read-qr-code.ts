import jsqr from 'jsqr';
import type { Locator } from 'playwright-core';

/** Pixels of a module. */
const scale = 4;

/** What a camera reads in a QR code that is drawn as an SVG: it is painted, and found in the picture. */
export async function readQrCode(image: Locator): Promise<string> {
  const size = Number((await image.getAttribute('viewBox'))?.split(' ')[2]) * scale;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  const path = (await image.locator('path').getAttribute('d')) ?? '';
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/gu)) {
    for (let row = 0; row < scale; row += 1) {
      const start = ((Number(y) * scale + row) * size + Number(x) * scale) * 4;
      for (let column = 0; column < scale; column += 1) pixels.fill(0, start + column * 4, start + column * 4 + 3);
    }
  }
  const found = jsqr.default(pixels, size, size);
  if (found === null) throw new Error('there is no QR code in the picture');
  return found.data;
}
