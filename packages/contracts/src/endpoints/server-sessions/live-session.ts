import { z } from 'zod';
import { serverSessionSchema } from './server-session.ts';

const bytes = z.int().min(0);

/** An open session with its peer and its current activity. */
export const liveSessionSchema = z
  .object({
    clusterName: z.string().describe('Name of the cluster').meta({ example: 'cluster1' }),
    peerName: z.string().describe('Peer that has the session').meta({ example: 'peer1' }),
    serverName: z.string().describe('Server of the session').meta({ example: 'sftp-server' }),
    ...serverSessionSchema.shape,
    openedAt: z.iso.datetime().describe('Time of the login').meta({ example: '2026-03-01T10:15:00.000Z' }),
    file: z
      .string()
      .nullable()
      .describe("The most recently opened file that is still open, as the user's path")
      .meta({ example: '/inbox/invoice.csv' }),
    direction: z.enum(['upload', 'download']).nullable().describe('Of `file`').meta({ example: 'upload' }),
    bytesReceived: bytes.describe('Bytes of files received since the login').meta({ example: 1048576 }),
    bytesSent: bytes.describe('Bytes of files sent since the login').meta({ example: 0 }),
    bytesPerSecond: bytes.describe('In both directions, over the last second').meta({ example: 524288 }),
  })
  .meta({ id: 'LiveServerSession' });
