import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { runningTransferSchema } from './running-transfer.ts';

/** Extension of the interface: ends a transfer that runs. */
export const endRunningTransferEndpoint = defineEndpoint({
  id: 'endRunningTransfer',
  tag: 'Server sessions',
  method: 'DELETE',
  path: '/platform-application/api/v1/infrastructure/clusters/transfers/:transferId',
  summary: 'End a running transfer',
  description: [
    'Closes the connection of a transfer over HTTP, or ends the session of a transfer over SFTP. The response is sent when that was done.',
    'An interrupted upload can be resumed: freeze the user to prevent that.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'sessions:delete', ofActor: true },
  params: z.strictObject({
    transferId: soundTextSchema.min(1).max(128).describe('Id of the transfer, as the list shows it'),
  }),
  responses: {
    200: { description: 'The transfer that was ended', body: { kind: 'json', schema: runningTransferSchema } },
  },
  errors: [
    'transfer_unknown',
    'cluster_unknown',
    'peer_unknown',
    'server_unknown',
    'session_unknown',
    'peer_not_answering',
  ],
});
