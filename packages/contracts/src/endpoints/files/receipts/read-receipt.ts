import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';

const receiptSchema = z
  .object({
    fileset: z.string().describe('Number of the file').meta({ example: '1024' }),
    userName: z.string().describe('Who sent it').meta({ example: 'acme' }),
    path: z.string().describe('Where it was put').meta({ example: '/inbox/invoice.csv' }),
    size: z.number().describe('Bytes').meta({ example: 17 }),
    sha256: z
      .string()
      .describe('SHA-256 of the content, hexadecimal')
      .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }),
    storedAt: z.iso.datetime().describe('When, UTC').meta({ example: '2026-03-02T08:15:30.410Z' }),
    dfiid: z
      .string()
      .describe('The dataflow id of audit records and jobs')
      .meta({ example: '0195a1c2-7b1e-7f00-8d3c-2a9d1f6b4c10' }),
    jws: z
      .string()
      .describe('All of the above and the name of the platform (`iss`), signed: a compact JWS (RFC 7515), ES256')
      .meta({ example: 'eyJhbGciOiJFUzI1NiJ9.eyJmaWxlc2V0IjoiMTAyNCJ9.MEUCIQDx' }),
  })
  .meta({ id: 'Receipt' });

/** The proof that a file was received. */
export type ReceiptDocument = z.infer<typeof receiptSchema>;

/** Extension of the interface: the proof that a file was received. */
export const readReceiptEndpoint = defineEndpoint({
  id: 'readReceipt',
  tag: 'Files: receipts',
  method: 'GET',
  path: '/2.0/receipts/:fileset',
  summary: 'Read the receipt of an upload',
  description:
    'For the user who uploaded the file over HTTP, even if the file was replaced, moved or deleted since. `jws` is a signature of ' +
    'the other members, which anyone can verify with the published keys.',
  authentication: { kind: 'login-session' },
  params: z.object({
    fileset: z
      .string()
      .regex(/^[1-9]\d{0,18}$/u, 'must be the number of a file')
      .describe('Number of the file, as in the response to the upload')
      .meta({ example: '1024' }),
  }),
  responses: {
    200: {
      description: 'The receipt',
      body: {
        kind: 'json',
        schema: receiptSchema,
      },
    },
  },
  errors: ['connection_contract_missing', 'receipt_unknown'],
  invalidRequestCode: 'file_request_invalid',
});
