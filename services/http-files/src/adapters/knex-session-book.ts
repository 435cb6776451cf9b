import type { Database } from '@waybill/postgres/database';
import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';
import type { ServerPlace } from '../domain/access/origin-of.ts';
import type { SessionBook } from '../domain/account/own-sessions.ts';

/** The most sessions of a user over one protocol that are read. */
const atMost = 1_000;

/** Leaves out the sessions of a former user of the name. */
const openedSinceCreation = 'opened_at >= (SELECT created_at FROM directory.partner_users WHERE id = ?)';

interface SessionRow {
  id: string;
  openedAt: Date;
  client: CausingClient | null;
}

/**
 * The open sessions in PostgreSQL: those over SFTP are rows of the gateways, which remove them with the record of the logout. A session
 * that an older gateway has opened has no cluster: it is in that of this server.
 */
export function createKnexSessionBook(db: Database, { clusterName }: Pick<ServerPlace, 'clusterName'>): SessionBook {
  return {
    listHttp: async ({ id, name }) => {
      const { rows } = await db.raw<{ rows: (SessionRow & { handle: string })[] }>(
        `SELECT id, handle, opened_at AS "openedAt", client FROM http_files.login_sessions
         WHERE user_name = ? AND ${openedSinceCreation} ORDER BY opened_at DESC LIMIT ?`,
        [name, id, atMost],
      );
      return rows.map(({ handle, ...row }) => ({ ...presented(row), protocol: 'HTTP', handle }));
    },
    listSftp: async ({ id, name }) => {
      const { rows } = await db.raw<{
        rows: (SessionRow & { clusterName: string; peerName: string; serverName: string })[];
      }>(
        `SELECT session_id AS id, coalesce(cluster_name, ?) AS "clusterName", peer_name AS "peerName",
           server_name AS "serverName", opened_at AS "openedAt", client FROM sftp_gateway.open_sessions
         WHERE user_name = ? AND ${openedSinceCreation} ORDER BY opened_at DESC LIMIT ?`,
        [clusterName, name, id, atMost],
      );
      return rows.map((row) => ({ ...row, ...presented(row), protocol: 'SFTP' }));
    },
  };
}

function presented({ id, openedAt, client }: SessionRow) {
  return { id, openedAt, address: client?.address, client: client?.client };
}
