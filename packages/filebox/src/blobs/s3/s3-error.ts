import { S3ServiceException } from '@aws-sdk/client-s3';
import { CodedError } from '@waybill/contracts/errors/coded-error';

/** What full stores answer, beside status 507: AWS, MinIO and Ceph each have their own name. */
const fullNames = new Set(['QuotaExceeded', 'XMinioStorageFull', 'EntityTooLarge']);
/** The object is not there (404), is another one (412), or is shorter than it must be (416). */
const missingStatuses = new Set([404, 412, 416]);

/**
 * What a failed request means to a caller: `content_missing`, `storage_full`, else `service_unavailable` with its cause,
 * which the log shows. Our own cancelling stays as it is.
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
