import { z } from 'zod';

const text = z.string();

/**
 * The origin of a file: created at its first upload, and passed on by jobs, by the files that jobs write, by audit
 * records and by log lines. `dfiid` names the dataflow instance, `lcid` correlates its log lines.
 */
export const dataflowContextSchema = z
  .object({
    dfiid: text.meta({ example: '0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a77' }),
    dmdfmid: text.optional(),
    dmdfmname: text.optional(),
    dmdfmver: text.optional(),
    lcid: text.meta({ example: 'd90fef7b-1517-4ad6-b836-18b6b4645be7:0' }),
    original_cluster: text.optional(),
    original_peer: text.optional(),
    original_role: z.enum(['CLIENT', 'SERVER']).optional(),
    original_server: text.optional(),
    'original_client-connection': text.optional(),
    original_protocol: text.optional(),
    original_transferUser: text.optional(),
    original_contract: text.optional(),
    original_action: text.optional(),
    original_actor: text.optional(),
    'original_actor-filename': text.optional(),
    'original_actor-path': text.optional(),
    original_size: text.optional(),
    original_filename: text.optional(),
    original_corrId: text.optional(),
    original_virtualpath: text.optional(),
    original_vfs: text.optional(),
    'original_connection-contract': text.optional(),
    userAttrs: z.record(z.string(), z.unknown()).default({}),
  })
  .meta({ id: 'DataflowContext' });

/** Where a file came from. */
export type DataflowContext = z.infer<typeof dataflowContextSchema>;
