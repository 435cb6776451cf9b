const mebibyte = 1024 * 1024;

/** The size of the first parts; S3 accepts none below 5 MiB except the last one of an object. */
export const firstPartBytes = 8 * mebibyte;
/** The limit of S3. */
export const partsAtMost = 10_000;

const partsOfOneSize = 2_000;

/**
 * The size of a part by its number, from 1 on. The size of a file is not known when it begins, and a whole part is held
 * in memory: so parts are small at first and double every 2 000, up to 128 MiB. 10 000 of them are 484 GiB.
 */
export function partBytesOf(partNumber: number, firstBytes: number = firstPartBytes): number {
  return firstBytes * 2 ** Math.floor((partNumber - 1) / partsOfOneSize);
}
