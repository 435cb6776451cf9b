import { z } from 'zod';
import { storedHeadersSchema } from '../uploads/stored-headers.ts';

/** Bytes in a header: digits only, and at most what JavaScript represents exactly. */
const bytesSchema = z.string().regex(/^\d{1,15}$/u, 'must be a number of bytes');

/** Headers of tus 1.0 in requests and responses. */
export const resumableUploadHeaders = {
  'tus-resumable': z.string().describe('Version of the protocol').meta({ example: '1.0.0' }),
  'upload-length': bytesSchema.describe('Bytes of the whole file').meta({ example: '1048576' }),
  'upload-defer-length': z
    .string()
    .regex(/^1$/u, 'must be 1')
    .describe('`1`: the length is sent later, with a `PATCH`')
    .meta({ example: '1' }),
  'upload-concat': z
    .string()
    .describe(
      '`partial`: its content becomes part of another upload; `final;` and addresses: joins these partial uploads',
    )
    .meta({ example: 'final;/2.0/uploads/4be0643f-1d98-573b-97cd-ca98a65347dd' }),
  'upload-offset': bytesSchema.describe('Bytes received so far').meta({ example: '524288' }),
  'upload-metadata': z
    .string()
    .max(16_384)
    .describe('Keys and their values in Base64, separated by commas')
    .meta({ example: 'folder aW5ib3g=,filename aW52b2ljZS5jc3Y=,filetype dGV4dC9jc3Y=' }),
  'upload-checksum': z
    .string()
    .regex(/^\S+ \S+$/u, 'must be an algorithm and a digest in Base64')
    .describe('Algorithm (`sha1` or `sha256`) and digest in Base64 of the body')
    .meta({ example: 'sha256 n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=' }),
  'upload-expires': z
    .string()
    .describe('When the upload expires if it is not continued')
    .meta({ example: 'Tue, 03 Mar 2026 08:15:30 GMT' }),
} as const;

/** Headers of responses with the offset of an upload, and with the stored file once it is complete. */
export const resumableUploadProgress = {
  'upload-offset': resumableUploadHeaders['upload-offset'],
  'upload-expires': resumableUploadHeaders['upload-expires'].optional(),
  ...storedHeadersSchema.partial().shape,
} as const;
