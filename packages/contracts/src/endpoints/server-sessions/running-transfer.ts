import { z } from 'zod';
import { protocolSchema } from '../../values/protocol.ts';

/** A transfer that is running, as the interface shows it. */
export const runningTransferSchema = z
  .object({
    transferId: z
      .string()
      .describe('Names the transfer to end it; over SFTP the id of its session')
      .meta({ example: '0198c2de-3f9a-7cc1-b2a4-5d0f3c1e9a77' }),
    protocol: protocolSchema.describe('Protocol of the transfer').meta({ example: 'HTTP' }),
    clusterName: z.string().describe('Name of the cluster').meta({ example: 'cluster1' }),
    peerName: z.string().describe('Peer that has the transfer').meta({ example: 'peer1' }),
    serverName: z.string().describe('Server of the transfer').meta({ example: 'http-server' }),
    userName: z.string().describe('Login name of the user').meta({ example: 'acme' }),
    clientAddress: z.string().describe('Address of the client').meta({ example: '10.0.0.2' }),
    path: z
      .string()
      .nullable()
      .describe("The user's path of the file or, for archives, the folder; null if it is not known yet")
      .meta({ example: '/inbox/invoice.csv' }),
    direction: z.enum(['upload', 'download']).describe('Direction').meta({ example: 'upload' }),
    bytes: z
      .int()
      .min(0)
      .describe('Bytes that were transferred; over HTTP with their framing')
      .meta({ example: 1048576 }),
    bytesPerSecond: z.int().min(0).describe('Over the last second').meta({ example: 524288 }),
    since: z.iso.datetime().describe('Begin of the transfer').meta({ example: '2026-03-01T10:15:00.000Z' }),
  })
  .meta({ id: 'RunningTransfer' });

/** A transfer that is running, as the interface shows it. */
export type RunningTransferView = z.infer<typeof runningTransferSchema>;
