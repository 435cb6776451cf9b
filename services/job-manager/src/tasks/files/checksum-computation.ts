import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { checksumAlgorithmSchema } from '@waybill/contracts/tasks/checksum-algorithm';
import type { Computation } from '../../domain/workflows/computation.ts';
import { serveComputation } from '../serve-computation.ts';

serveComputation(begin);

/** The result is `checksum`, in hexadecimal. */
function begin({ algorithm }: Readonly<Record<string, string>>): Computation {
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
