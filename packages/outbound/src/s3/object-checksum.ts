import { createHash } from 'node:crypto';

/** The metadata in which `s3-push` notes the SHA-256 of an object. */
export const sha256Field = 'waybill-sha256';

/** What a server says of an object. */
export interface ObjectHead {
  readonly ETag?: string | undefined;
  readonly ServerSideEncryption?: string | undefined;
  readonly SSECustomerAlgorithm?: string | undefined;
}

/**
 * The MD5 in the ETag of an object: of its bytes, or with `-<parts>` at its end of the MD5s of its parts. `undefined` if the ETag
 * is something else: servers may have other ones, and have under encryption with keys of a key service.
 */
export function comparableMd5({ ETag, ServerSideEncryption, SSECustomerAlgorithm }: ObjectHead): string | undefined {
  if (SSECustomerAlgorithm !== undefined || ServerSideEncryption?.startsWith('aws:kms') === true) return undefined;
  const tag = ETag?.replaceAll('"', '').toLowerCase() ?? '';
  return /^[\da-f]{32}(?:-\d{1,5})?$/u.test(tag) ? tag : undefined;
}

/** The ETag that an object of these parts has, if it is made of MD5s; of one part without `isMultipart` that of its bytes. */
export function md5TagOf(digests: readonly Buffer[], { isMultipart }: { readonly isMultipart: boolean }): string {
  if (!isMultipart) return Buffer.concat(digests).toString('hex');
  return `${createHash('md5').update(Buffer.concat(digests)).digest('hex')}-${digests.length}`;
}
