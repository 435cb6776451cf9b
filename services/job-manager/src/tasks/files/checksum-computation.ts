import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { Computation } from '../../domain/workflows/computation.ts';

/** The algorithms of the task `checksum`. MD5, SHA-1 and CRC-32 detect accidents and no attacks. */
export const checksumAlgorithmSchema = z.enum(['sha256', 'sha512', 'sha1', 'md5', 'crc32']);

/** Begins a checksum; see `BeginComputation`. The result is `checksum`, in hexadecimal. */
export function begin({ algorithm }: Readonly<Record<string, string>>): Computation {
  const name = checksumAlgorithmSchema.parse(algorithm);
  return name === 'crc32' ? crcComputation() : hashComputation(name);
}

function hashComputation(algorithm: string): Computation {
  const hash = createHash(algorithm);
  return {
    update: (chunk) => void hash.update(chunk),
    end: () => ({ checksum: hash.digest('hex') }),
  };
}

function crcComputation(): Computation {
  let value = 0;
  return {
    update: (chunk) => (value = crc32(chunk, value)),
    end: () => ({ checksum: value.toString(16).padStart(8, '0') }),
  };
}
