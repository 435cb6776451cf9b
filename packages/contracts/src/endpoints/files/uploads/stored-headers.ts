import { z } from 'zod';

/** Headers of the response to an upload, which describe the stored file. */
export const storedHeadersSchema = z.object({
  etag: z
    .string()
    .describe('Entity tag of the file: its SHA-256 between quotes')
    .meta({ example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"' }),
  'x-dataflow-id': z
    .string()
    .describe('The `dfiid` of audit records, jobs and log lines')
    .meta({ example: '0195a1c2-7b1e-7f00-8d3c-2a9d1f6b4c10' }),
  'x-file-sha256': z
    .string()
    .describe('SHA-256 of the content, hexadecimal')
    .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }),
  'x-file-size': z.string().describe('Bytes of the content').meta({ example: '4' }),
  'x-fileset': z.string().describe('Number of the file').meta({ example: '1024' }),
  'x-stored-at': z.string().describe('When it was stored, UTC').meta({ example: '2026-03-02T08:15:30.410Z' }),
});
