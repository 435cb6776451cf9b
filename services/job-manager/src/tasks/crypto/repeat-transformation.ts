import { createHash } from 'node:crypto';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { JobFiles, WrittenFile } from '../../domain/workflows/task.ts';
import type { TransformedFile } from '../write-transformed.ts';

/** Transforms the source of a step, and gives what comes of it to `write`. */
type Transform = (write: JobFiles['write']) => Promise<TransformedFile>;

/**
 * What a transformation finds that an earlier attempt has made: it is made again and dropped, and counts only if its bytes are those
 * that were written. Empty if the source is another one by now, or gone. @throws errors that may be over at the next attempt
 */
export async function repeatTransformation(
  transform: Transform,
  { path, sha256 }: WrittenFile,
  log: (message: string) => void,
): Promise<TransformedFile['result']> {
  log(`An earlier attempt has written ${path}`);
  try {
    const { written, result } = await transform(hashContent);
    if (written?.sha256 === sha256) return result;
    log('The source has changed since then: who signed it is not known any more');
  } catch (error) {
    if (!isCodedError(error, 'file_not_found', 'path_not_found', 'decryption_failed', 'signature_invalid')) throw error;
    log(`The source has changed since then, who signed it is not known any more: ${error.message}`);
  }
  return {};
}

const hashContent: JobFiles['write'] = async (path, content) => {
  const [hash, counted] = [createHash('sha256'), { bytes: 0 }];
  for await (const chunk of content) {
    hash.update(chunk);
    counted.bytes += chunk.length;
  }
  return { path, fileset: '', size: String(counted.bytes), sha256: hash.digest('hex') };
};
