import { z } from 'zod';

/**
 * The algorithms of the task `checksum`. MD5, SHA-1 and CRC-32 detect accidents and no attacks: they are here because partners
 * still send such sums beside their files. SHA-256 is the default. The names are those of Node's `createHash`, apart from
 * `crc32`, which `node:zlib` computes.
 */
const checksumAlgorithms = ['sha256', 'sha512', 'sha1', 'md5', 'crc32'] as const;

/** An algorithm of the task `checksum`. */
export const checksumAlgorithmSchema = z.enum(checksumAlgorithms);
