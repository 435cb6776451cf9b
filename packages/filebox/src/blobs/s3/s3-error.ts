import { S3ServiceException } from '@aws-sdk/client-s3';
import { CodedError } from '@waybill/contracts/errors/coded-error';

/** Errors of full stores, besides status 507: AWS, MinIO and Ceph each use another name. */
const fullNames = new Set(['QuotaExceeded', 'XMinioStorageFull', 'EntityTooLarge']);
/** The object does not exist (404), is another one (412), or is shorter than expected (416). */
const missingStatuses = new Set([404, 412, 416]);

/**
 * Translates a failed request: `content_missing`, `storage_full`, else `service_unavailable` with its cause, which is
 * logged. A cancellation by the caller is unchanged.
 */
export function s3Error(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return error;
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  const name = error instanceof Error ? error.name : '';
  if (status === 507 || fullNames.has(name)) return new CodedError('storage_full', { cause: error });
  if (status !== undefined && missingStatuses.has(status) && name !== 'NoSuchBucket') {
    return new CodedError('content_missing', { cause: error });
  }
  return new CodedError('service_unavailable', { cause: error });
}
