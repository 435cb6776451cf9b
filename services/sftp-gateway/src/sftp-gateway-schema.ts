import type { OwnedSchema } from '@waybill/postgres/migrate';
import { openSessions } from './migrations/0001-open-sessions.ts';
import { sessionClients } from './migrations/0002-session-clients.ts';
import { sessionClusters } from './migrations/0003-session-clusters.ts';

/** The schema of the data that gateways share. */
export const sftpGatewaySchema: OwnedSchema = {
  schema: 'sftp_gateway',
  migrations: [openSessions, sessionClients, sessionClusters],
};
