import { z } from 'zod';
import { dataflowContextSchema } from '../values/dataflow-context.ts';
import { filesetIdSchema } from '../values/fileset-id.ts';
import { userNameSchema } from '../values/user-name.ts';

/** An event of a file, which may start actions of contracts. */
export const fileEventSchema = z.object({
  kind: z
    .enum(['stored', 'metadataUpdated', 'downloaded'])
    .describe('stored starts NewFile and, over a protocol, IncomingTransfer; downloaded starts OutgoingTransfer'),
  occurredAt: z.iso.datetime(),
  vfsId: z.string(),
  path: z.string().describe('Virtual path of the file inside its VFS'),
  fileset: filesetIdSchema,
  size: z.string().describe('Bytes, decimal'),
  byTransfer: z.boolean().describe('True for a transfer over a protocol, false for a job'),
  chainDepth: z
    .int()
    .min(0)
    .default(0)
    .describe('Number of jobs in the chain that led to this change, including the one that made it; 0 for a transfer'),
  userName: userNameSchema,
  dfic: dataflowContextSchema,
});

/** Something happened to a file that contracts may wait for. */
export type FileEvent = z.infer<typeof fileEventSchema>;
