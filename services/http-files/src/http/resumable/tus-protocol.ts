import { createHash } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Authenticator } from '@waybill/http-kit/routing/route';
import type { ResumableProgress } from '../../domain/resumable/resumable-progress.ts';
import { storedHeaders } from '../uploads/upload-answer.ts';

/** The supported version of the protocol (https://tus.io/protocols/resumable-upload). */
const tusVersion = '1.0.0';

/** The digest sizes of the supported checksums, in bytes. */
export const checksumAlgorithms = {
  sha1: createHash('sha1').digest().length,
  sha256: createHash('sha256').digest().length,
} as const;

/** The headers of all responses about resumable uploads, including failures. */
export const tusHeaders = { 'Tus-Resumable': tusVersion, 'Tus-Version': tusVersion } as const;

/** The supported extensions of the protocol. */
export const tusCapabilities = {
  ...tusHeaders,
  'Tus-Extension': 'creation,creation-with-upload,creation-defer-length,expiration,checksum,concatenation,termination',
  'Tus-Checksum-Algorithm': Object.keys(checksumAlgorithms).join(','),
} as const;

/** Checks the caller, then the version, before anything else of a request. */
export function withTusVersion<P>(authenticate: Authenticator<P>): Authenticator<P> {
  return async (context) => {
    const principal = await authenticate(context);
    if (context.headers['tus-resumable'] !== tusVersion) {
      throw new CodedError('protocol_version_unsupported', { detail: `tus-resumable: must be ${tusVersion}` });
    }
    return principal;
  };
}

/** The headers with the progress of an upload, and what was stored when it is complete. */
export function progressHeaders({ upload, offset, receipt }: ResumableProgress): Record<string, string> {
  return {
    'Upload-Offset': String(offset),
    ...(receipt === undefined ? { 'Upload-Expires': upload.expiresAt.toUTCString() } : storedHeaders(receipt)),
  };
}
