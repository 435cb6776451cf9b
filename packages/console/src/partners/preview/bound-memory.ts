import { boundPictures, pageBegins, picturesLeftOut } from './bound-pictures.ts';

/** More than the largest picture that is drawn takes: 50 million pixels of four bytes, in a buffer that grows by doubling. */
const mostBytes = 256 * 1_024 * 1_024;

/**
 * More than honest tables, instructions for a page, and fonts: pdf.js makes objects of them that take up to a hundred times as much.
 * It reads these bit by bit, into a buffer that it replaces by one that is twice as large or larger. What a picture needs, which it
 * knows, it allocates at once; then it may read what the picture is computed from bit by bit, without a pause.
 */
const mostGrownBytes = 8 * 1_024 * 1_024;

/** All byte arrays of a page, most of which are gone soon: more than those of the largest pictures that it may show. */
const mostSumBytes = 10 * mostBytes;

/** What was allocated at once for the picture that is being read. */
let pictureBytes = 0;

/** A buffer that holds less has just been begun. */
const begunBytes = 64 * 1_024;

/** What was allocated since the page began, or the document was opened. */
let sumBytes = 0;
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data === pageBegins) sumBytes = 0;
});

const isOverPictures = boundPictures();

/** Refuses byte arrays that are larger than any honest one: a compressed stream of one megabyte may hold a gigabyte of zeros. */
globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args: readonly unknown[], newTarget): object {
    const [length] = args;
    refuseLarge(length);
    const made: unknown = Reflect.construct(target, args, newTarget);
    if (!(made instanceof target)) throw new TypeError('Not an array');
    if (made.length > mostGrownBytes && isPowerOfTwo(made.length)) refuseGrowth(made);
    return made;
  },
});

// What pdf.js decodes JPEG pictures into.
globalThis.Int16Array = new Proxy(Int16Array, {
  construct(target, args: readonly unknown[], newTarget): object {
    const [length] = args;
    refuseLarge(typeof length === 'number' ? 2 * length : length);
    const made: unknown = Reflect.construct(target, args, newTarget);
    if (!(made instanceof target)) throw new TypeError('Not an array');
    return made;
  },
});

function refuseLarge(bytes: unknown): void {
  if (typeof bytes !== 'number' || !(bytes > 0)) return;
  // No further picture that needs a large array would be shown.
  const most = isOverPictures() ? mostGrownBytes : mostBytes;
  if (bytes > Math.min(most, mostSumBytes - sumBytes)) {
    postMessage(picturesLeftOut);
    throw new RangeError('The array is too large');
  }
  sumBytes += bytes;
}

/** Has a large array refuse the content of a buffer that it replaces, unless a picture is read. */
function refuseGrowth(made: Uint8Array): void {
  const set = made.set.bind(made);
  made.set = (content, offset) => {
    if (offset === undefined && isPowerOfTwo(content.length)) {
      if (content.length <= begunBytes) beginPicture(made.length);
      // The rows have one byte more than the picture each.
      else if (made.length > 2 * pictureBytes) throw new RangeError('The stream is too long');
    }
    set(content, offset);
  };
}

/** Until the reading pauses. */
function beginPicture(bytes: number): void {
  pictureBytes = bytes;
  queueMicrotask(() => {
    pictureBytes = 0;
  });
}

/** As the lengths of buffers that grow are. */
function isPowerOfTwo(length: number): boolean {
  return (length & (length - 1)) === 0;
}

// It inflates into any number of chunks. Without it, pdf.js inflates into one array.
Reflect.deleteProperty(globalThis, 'DecompressionStream');
