import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { OpenedFile } from '../../domain/workflows/task.ts';
import { archiveFault, checkSize, type UnpackingLimits } from './unpacking-plan.ts';

/**
 * The decompressed bytes of a gzip file. @throws CodedError `job_step_failed`: it is no gzip file, it is cut off, its checksum is
 * wrong, or it holds more than it may; the signal's reason
 */
export async function* gunzipped(
  file: OpenedFile,
  limits: Pick<UnpackingLimits, 'bytesAtMost' | 'ratioAtMost'>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  if (file.size === 0) throw archiveFault('it is empty');
  const gunzip = createGunzip();
  pipeline(file.content(), gunzip, () => {});
  let bytes = 0;
  try {
    for await (const chunk of gunzip) {
      signal.throwIfAborted();
      if (!(chunk instanceof Buffer)) continue;
      bytes += chunk.length;
      checkSize(bytes, file.size, limits);
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error) ? archiveFault('it is damaged, or no gzip file', error) : error;
  } finally {
    gunzip.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  if (isCodedError(error) || !(error instanceof Error) || !('code' in error)) return false;
  return typeof error.code === 'string' && error.code.startsWith('Z_');
}
