const mebibyte = 1024 * 1024;

/** The first parts; S3 takes none below 5 MiB but the last one of an object. */
export const firstPartBytes = 8 * mebibyte;
/** S3 takes no more parts than this. */
export const partsAtMost = 10_000;

const partsOfOneSize = 2_000;

/**
 * How big the part of a number is, from 1 on. How long a file will be is not known when it begins, and all of a part is
 * held in memory: so parts are small at first and double every 2 000, up to 128 MiB. 10 000 of them are 484 GiB.
 */
export function partBytesOf(partNumber: number, firstBytes: number = firstPartBytes): number {
  return firstBytes * 2 ** Math.floor((partNumber - 1) / partsOfOneSize);
}
