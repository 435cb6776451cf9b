import { z } from 'zod';
import { digitsAsNumber } from '../../../values/digits-as-number.ts';
import { defineEndpoint } from '../../endpoint.ts';

const receiptSchema = z.object({
  size: z.int().describe('Bytes').meta({ example: 17 }),
  sha256: z
    .string()
    .describe('SHA-256 of the content, hexadecimal')
    .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }),
  address: z.string().describe('Where the signed receipt is').meta({ example: '/2.0/receipts/1024' }),
});

const ownTransferSchema = z
  .object({
    direction: z.enum(['upload', 'download']).describe('Seen from you').meta({ example: 'upload' }),
    at: z.iso.datetime().describe('When it was complete, UTC').meta({ example: '2026-03-02T08:15:30.410Z' }),
    path: z
      .string()
      .nullable()
      .describe('Where the file was then; null if you cannot see that place any more')
      .meta({ example: '/inbox/invoice.csv' }),
    fileset: z.string().nullable().describe('Number of the file; null if it was erased').meta({ example: '1024' }),
    dfiid: z
      .string()
      .nullable()
      .describe('The dataflow id of audit records and jobs')
      .meta({ example: '0195a1c2-7b1e-7f00-8d3c-2a9d1f6b4c10' }),
    address: z.string().nullable().describe('The address of your client').meta({ example: '192.0.2.7' }),
    client: z.string().nullable().describe('The software of your client').meta({ example: 'OpenSSH_9.2p1' }),
    size: z.int().nullable().describe('The size of the file, in bytes; null if it was erased').meta({ example: 17 }),
    receipt: receiptSchema
      .nullable()
      .describe('Its receipt: of uploads over HTTP, as long as receipts are kept')
      .meta({ example: null }),
  })
  .meta({ id: 'OwnTransfer' });

/** Extension of the interface: the last transfers of the caller. */
export const listOwnTransfersEndpoint = defineEndpoint({
  id: 'listOwnTransfers',
  tag: 'Files: account',
  method: 'GET',
  path: '/2.0/account/transfers',
  summary: 'List your transfers',
  description:
    'Complete uploads and downloads over SFTP and HTTP, newest first, one page at a time, as far as the audit log reaches back. ' +
    'A transfer is listed when its audit record is stored: within a second. A page can have fewer transfers than `maxItems`, also ' +
    'none, and a next page.',
  authentication: { kind: 'login-session' },
  query: z.strictObject({
    maxItems: z
      .preprocess(digitsAsNumber, z.int().min(1).max(500))
      .default(50)
      .describe('Transfers on one page; 50 by default')
      .meta({ example: 50 }),
    cursor: z
      .string()
      .regex(/^\d{1,13}-[1-9]\d{0,17}$/u, 'must be the cursor of a page')
      .optional()
      .describe('Start of the page: `next` of the one before')
      .meta({ example: '1772439330410-245' }),
  }),
  responses: {
    200: {
      description: 'A page of transfers',
      body: {
        kind: 'json',
        schema: z
          .object({
            transfers: z.array(ownTransferSchema).describe('The transfers of this page'),
            next: z
              .string()
              .optional()
              .describe('The cursor of the next page; absent on the last one')
              .meta({ example: '1772439330410-245' }),
          })
          .meta({ id: 'OwnTransfers' }),
      },
    },
  },
  errors: ['connection_contract_missing'],
  invalidRequestCode: 'file_request_invalid',
});
