import { createHash } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Authenticator } from '@waybill/http-kit/routing/route';

/** The version of the protocol that is spoken (https://tus.io/protocols/resumable-upload). */
const tusVersion = '1.0.0';

/** Bytes of the digests of the checksums that are known. */
export const checksumAlgorithms = {
  sha1: createHash('sha1').digest().length,
  sha256: createHash('sha256').digest().length,
} as const;

/** What the answers to resumable uploads have in common, failures too. */
export const tusHeaders = { 'Tus-Resumable': tusVersion, 'Tus-Version': tusVersion } as const;

/** What of the protocol there is. */
export const tusCapabilities = {
  ...tusHeaders,
  'Tus-Extension': 'creation,creation-with-upload,creation-defer-length,expiration,checksum,concatenation,termination',
  'Tus-Checksum-Algorithm': Object.keys(checksumAlgorithms).join(','),
} as const;

/** Asks who calls, then in which version, before anything else of a request counts. */
export function withTusVersion<P>(authenticate: Authenticator<P>): Authenticator<P> {
  return async (context) => {
    const principal = await authenticate(context);
    if (context.headers['tus-resumable'] !== tusVersion) {
      throw new CodedError('protocol_version_unsupported', { detail: `tus-resumable: is to be ${tusVersion}` });
    }
    return principal;
  };
}
