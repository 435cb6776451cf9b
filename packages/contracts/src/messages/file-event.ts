import { z } from 'zod';
import { dataflowContextSchema } from '../values/dataflow-context.ts';
import { filesetIdSchema } from '../values/fileset-id.ts';
import { userNameSchema } from '../values/user-name.ts';

/** Something happened to a file that contracts may wait for. */
export const fileEventSchema = z.object({
  kind: z
    .enum(['stored', 'metadataUpdated', 'downloaded'])
    .describe('stored starts NewFile and, over a protocol, IncomingTransfer; downloaded starts OutgoingTransfer'),
  occurredAt: z.iso.datetime(),
  vfsId: z.string(),
  path: z.string().describe('Virtual path of the file inside its VFS'),
  fileset: filesetIdSchema,
  size: z.string().describe('Bytes, decimal'),
  byTransfer: z.boolean().describe('True over a protocol, false when a job did it'),
  chainDepth: z
    .int()
    .min(0)
    .default(0)
    .describe('How many jobs in a row have led to this change, the one that made it among them; 0 for a transfer'),
  userName: userNameSchema,
  dfic: dataflowContextSchema,
});

/** Something happened to a file that contracts may wait for. */
export type FileEvent = z.infer<typeof fileEventSchema>;
