import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { BlobWriter } from './blob-store.ts';

/** The writer of a blob that was sealed and not committed: the only thing it can do is seal again. */
export function sealedBlobWriter(size: number): BlobWriter {
  const refuse = (): Promise<never> =>
    Promise.reject(new CodedError('upload_incomplete', { detail: 'Nothing can be added to a file that is whole' }));
  return {
    initialSize: size,
    write: refuse,
    truncate: refuse,
    read: refuse,
    sync: async () => {},
    seal: async () => {},
    close: async () => {},
  };
}
