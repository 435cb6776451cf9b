import type { FileResult } from '@waybill/contracts/endpoints/files/shapes/file-result';
import type { AcceptedUpload } from '../../domain/uploads/accept-upload.ts';
import { fileResult } from '../file-result.ts';
import { storedHeaders } from './stored-headers.ts';

/** The response to an upload, the same each time that it is repeated. */
export function uploadAnswer({ receipt, isRepeated }: AcceptedUpload): {
  status: 201;
  body: FileResult;
  headers: Record<string, string>;
} {
  const { fileset, storedAt } = receipt;
  return {
    status: 201,
    body: { ...fileResult('Upload successful', { fileset }), timestamp: storedAt.toISOString() },
    headers: { ...storedHeaders(receipt), ...(isRepeated && { 'Idempotency-Replayed': 'true' }) },
  };
}
