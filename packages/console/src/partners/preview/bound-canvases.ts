/**
 * The pixels, of four bytes each, of all canvases that a page needs at the same time beside the one that is shown: more than the largest
 * picture with its scaled copies, or than ten layers of transparency.
 */
const mostPixels = 100_000_000;

interface CanvasEntry {
  canvas: HTMLCanvasElement | null;
  context: CanvasRenderingContext2D | null;
}

/**
 * Makes the canvases on which pdf.js draws parts of a page, such as groups that are transparent together. A page may nest them without
 * end: it fails when they are too large together.
 */
export function createBoundCanvases() {
  const live = new Set<HTMLCanvasElement>();
  const refuseMore = (width: number, height: number): void => {
    const pixels = [...live].reduce((sum, canvas) => sum + canvas.width * canvas.height, 0);
    if (pixels + width * height > mostPixels) throw new RangeError('The page has too many layers');
  };
  /** What pdf.js asks of a factory of canvases. */
  class CanvasFactory {
    create(width: number, height: number): CanvasEntry {
      refuseMore(width, height);
      const canvas = document.createElement('canvas');
      canvas.width = width;
      canvas.height = height;
      live.add(canvas);
      return { canvas, context: canvas.getContext('2d', { willReadFrequently: true }) };
    }

    reset({ canvas }: CanvasEntry, width: number, height: number): void {
      if (canvas === null) return;
      live.delete(canvas);
      refuseMore(width, height);
      canvas.width = width;
      canvas.height = height;
      live.add(canvas);
    }

    destroy(entry: CanvasEntry): void {
      if (entry.canvas !== null) {
        live.delete(entry.canvas);
        entry.canvas.width = 0;
        entry.canvas.height = 0;
      }
      entry.canvas = null;
      entry.context = null;
    }

    getNoAlphaContext(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
      return canvas.getContext('2d', { alpha: false, willReadFrequently: true });
    }
  }
  /** Before another page is drawn: one that was given up may have left canvases. */
  return { CanvasFactory, forget: () => live.clear() };
}
