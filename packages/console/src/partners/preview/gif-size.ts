/** The size of a picture in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The bytes that a decoder reads of the first block of an extension, whatever length it states. */
const leastBytes: Readonly<Record<number, number>> = { 0x01: 12, 0xf9: 4, 0xff: 11 };

/**
 * The size of a GIF with all its frames: browsers make the picture as large as its first frame, whatever its logical screen
 * is. Undefined if it is damaged.
 */
export function sizeOfGif(view: DataView): ImageSize | undefined {
  let width = view.getUint16(6, true);
  let height = view.getUint16(8, true);
  try {
    for (let at = 13 + colourTableBytes(view.getUint8(10)); ;) {
      const block = view.getUint8(at);
      if (block === trailer) return { width, height };
      if (block === extension) {
        const least = leastBytes[view.getUint8(at + 1)] ?? 0;
        if (view.getUint8(at + 2) < least) return undefined;
        at = afterBlocks(view, at + 2);
      } else if (block === image) {
        width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true));
        height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true));
        at = afterBlocks(view, at + 11 + colourTableBytes(view.getUint8(at + 9)));
      } else {
        return undefined;
      }
    }
  } catch (error) {
    // What is there of an incomplete picture is shown.
    if (error instanceof RangeError) return { width, height };
    throw error;
  }
}

const extension = 0x21;
const image = 0x2c;
const trailer = 0x3b;

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Where a series of blocks ends that begins at `start`. */
function afterBlocks(view: DataView, start: number): number {
  let at = start;
  for (let length = view.getUint8(at); length > 0; length = view.getUint8(at)) at += 1 + length;
  return at + 1;
}
