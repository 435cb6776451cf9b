import type { ContentKind } from './content-kind.ts';
import { type ImageSize, sizeOfGif } from './gif-size.ts';

type ImageType = Extract<ContentKind, { kind: 'image' }>['mediaType'];

const readers: Readonly<Record<ImageType, (view: DataView) => ImageSize | undefined>> = {
  'image/png': sizeOfPng,
  'image/gif': sizeOfGif,
  'image/jpeg': sizeOfJpeg,
  'image/webp': sizeOfWebp,
};

/**
 * The size that a PNG, GIF, JPEG or WebP file states, before anything is decoded: a file of some kilobytes may decode to
 * gigabytes. Undefined if the file is damaged, or if decoders could read it in another way than this.
 */
export function imageSizeOf(bytes: Uint8Array, mediaType: ImageType): ImageSize | undefined {
  try {
    return readers[mediaType](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** IHDR has to be the first chunk; decoders skip chunks before it that they do not know. The frames of an animation lie within. */
function sizeOfPng(view: DataView): ImageSize | undefined {
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== 0x49484452) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Reads the segments up to the first start of a frame (ITU T.81, B.1.1.3). */
function sizeOfJpeg(view: DataView): ImageSize | undefined {
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // DHT, JPG and DAC are in the range of the frames, and are none.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    if (marker === 0xff) {
      // Fill bytes come before a marker.
      at += 1;
    } else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      // TEM and RST have no length.
      at += 2;
    } else {
      const length = view.getUint16(at + 2);
      if (marker < 0xc0 || marker === 0xd8 || marker === 0xd9 || length < 2) return undefined;
      at += 2 + length;
    }
  }
}

/** The first chunk: lossy, lossless, or extended (RFC 9649). The frames of an animation lie within. */
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
