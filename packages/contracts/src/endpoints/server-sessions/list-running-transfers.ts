import { z } from 'zod';
import { protocolSchema } from '../../values/protocol.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { runningTransferSchema } from './running-transfer.ts';
import { maxItemShape, sessionFilters } from './session-filters.ts';

/** Extension of the interface: the transfers of all clusters, as they run. */
export const listRunningTransfersEndpoint = defineEndpoint({
  id: 'listRunningTransfers',
  tag: 'Server sessions',
  method: 'GET',
  path: '/platform-application/api/v1/infrastructure/clusters/transfers',
  summary: 'List running transfers',
  description: [
    'Lists the uploads and downloads that run on all peers of all clusters, the oldest first: over SFTP the file of each session that was',
    'opened last, and over HTTP every request with the content of a file or an archive that has run for more than a second. The list is',
    'at most two seconds old. The transfers of a peer that has died disappear within 10 seconds.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'sessions:read', ofActor: true },
  query: z.strictObject({
    clusterName: soundTextSchema.optional().describe('Only this cluster').meta({ example: 'cluster1' }),
    serverName: soundTextSchema.optional().describe('Only this server').meta({ example: 'http-server' }),
    ...sessionFilters,
    protocol: protocolSchema.optional().describe('Only this protocol').meta({ example: 'HTTP' }),
    direction: z.enum(['upload', 'download']).optional().describe('Only this direction').meta({ example: 'upload' }),
    ...maxItemShape('transfers'),
  }),
  responses: {
    200: {
      description: 'The running transfers',
      body: {
        kind: 'json',
        schema: z
          .object({
            totalCount: z
              .int()
              .min(0)
              .describe('Number of matching transfers; a peer lists its 1000 oldest ones over HTTP')
              .meta({ example: 1 }),
            transfers: z.array(runningTransferSchema).describe('The requested transfers'),
          })
          .meta({ id: 'RunningTransferList' }),
      },
    },
  },
  errors: [],
});
