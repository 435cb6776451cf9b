import { imageSizeOf } from './image-size.ts';

/** Tells the thread that reads a document that a page is drawn from now on, and nothing is kept of those before. pdf.js ignores it. */
export const pageBegins = 'waybill-page-begins';

/** What that thread tells when it leaves out a picture of the page. */
export const picturesLeftOut = 'waybill-pictures-left-out';

/**
 * The pixels of all pictures of a page, of four bytes each, which the browser keeps until another page is drawn: twice as many as
 * the largest picture has.
 */
const mostPixels = 100_000_000;

/**
 * Has pdf.js decode pictures of a page until they have too many pixels together: what is refused is left out, and the rest of the page is
 * drawn. Returns what tells whether a picture of the page was refused.
 */
export function boundPictures(): () => boolean {
  let pixels = 0;
  let isOver = false;
  const count = (width: number, height: number): void => {
    const sum = pixels + Math.abs(width * height);
    if (sum <= mostPixels) {
      pixels = sum;
      return;
    }
    isOver = true;
    postMessage(picturesLeftOut);
    throw new RangeError('The pictures of the page are too large');
  };
  addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data !== pageBegins) return;
    pixels = 0;
    isOver = false;
  });
  countCanvases(count);
  countDecoders(count);
  return () => isOver;
}

type Count = (width: number, height: number) => void;

/** All pictures are painted on one, but those that the browser decodes itself. */
function countCanvases(count: Count): void {
  globalThis.OffscreenCanvas = new Proxy(OffscreenCanvas, {
    construct(target, args: readonly unknown[], newTarget): object {
      count(Number(args[0]), Number(args[1]));
      const made: unknown = Reflect.construct(target, args, newTarget);
      if (!(made instanceof target)) throw new TypeError('Not a canvas');
      return made;
    },
  });
}

/** The browser decodes JPEG pictures, in the size that they state themselves, whatever the document states. */
function countDecoders(count: Count): void {
  // Pages of plain HTTP, and some browsers, have none.
  if (!('ImageDecoder' in globalThis)) return;
  globalThis.ImageDecoder = new Proxy(ImageDecoder, {
    construct(target, [init]: [ImageDecoderInit], newTarget): object {
      if (init.type === 'image/jpeg') {
        const size = init.data instanceof Uint8Array ? imageSizeOf(init.data, init.type) : undefined;
        count(size?.width ?? Number.NaN, size?.height ?? Number.NaN);
      }
      const made: unknown = Reflect.construct(target, [init], newTarget);
      if (!(made instanceof target)) throw new TypeError('Not a decoder');
      return made;
    },
  });
}
