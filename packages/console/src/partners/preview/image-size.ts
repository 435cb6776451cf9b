/** The size of a picture in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size that the head of a PNG, GIF, JPEG or WebP file states, before anything is decoded: a file of some kilobytes may
 * decode to gigabytes. Undefined if the head is damaged or does not reach that far.
 */
export function imageSizeOf(head: Uint8Array, mediaType: string): ImageSize | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    if (mediaType === 'image/png') return { width: view.getUint32(16), height: view.getUint32(20) };
    if (mediaType === 'image/gif') return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
    return mediaType === 'image/jpeg' ? sizeOfJpeg(view) : sizeOfWebp(view);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Reads the segments up to the first start of a frame (ITU T.81, B.1.1.3). */
function sizeOfJpeg(view: DataView): ImageSize | undefined {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // DHT, JPG and DAC are in the range of the frames, and are none.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // Fill bytes come before a marker.
    at += marker === 0xff ? 1 : 2 + Math.max(2, view.getUint16(at + 2));
  }
}

/** The first chunk: lossy, lossless, or extended (RFC 9649). */
function sizeOfWebp(view: DataView): ImageSize | undefined {
  const format = String.fromCharCode(view.getUint8(15));
  if (format === ' ') return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (format === 'L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (format !== 'X') return undefined;
  const at = (offset: number): number => view.getUint16(offset, true) + view.getUint8(offset + 2) * 0x1_0000;
  return { width: at(24) + 1, height: at(27) + 1 };
}
