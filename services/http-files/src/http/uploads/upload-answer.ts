import type { FileResult } from '@waybill/contracts/endpoints/files/shapes/file-result';
import type { Receipt } from '../../domain/receipts/receipt.ts';
import type { AcceptedUpload } from '../../domain/uploads/accept-upload.ts';
import { fileResult, dataflowHeader } from '../file-result.ts';

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

/** The headers of a response that describe the stored file. */
export function storedHeaders({ fileset, size, sha256, storedAt, dfiid }: Receipt): Record<string, string> {
  return {
    ETag: `"${sha256}"`,
    'X-Fileset': fileset,
    'X-File-Size': String(size),
    'X-File-SHA256': sha256,
    'X-Stored-At': storedAt.toISOString(),
    ...dataflowHeader({ dfiid }),
  };
}
