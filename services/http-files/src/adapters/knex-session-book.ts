import type { UserName } from '@waybill/contracts/values/user-name';
import type { Database } from '@waybill/postgres/database';
import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';
import type { ServerPlace } from '../domain/access/origin-of.ts';
import type { SessionBook } from '../domain/account/own-sessions.ts';

/** The most sessions of a user over one protocol that are read. */
const atMost = 1_000;

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
    listHttp: async (userName: UserName) => {
      const { rows } = await db.raw<{ rows: (SessionRow & { handle: string })[] }>(
        `SELECT id, handle, opened_at AS "openedAt", client FROM http_files.login_sessions
         WHERE user_name = ? ORDER BY opened_at DESC LIMIT ?`,
        [userName, atMost],
      );
      return rows.map(({ handle, ...row }) => ({ ...presented(row), protocol: 'HTTP', handle }));
    },
    listSftp: async (userName: UserName) => {
      const { rows } = await db.raw<{
        rows: (SessionRow & { clusterName: string; peerName: string; serverName: string })[];
      }>(
        `SELECT session_id AS id, coalesce(cluster_name, ?) AS "clusterName", peer_name AS "peerName",
           server_name AS "serverName", opened_at AS "openedAt", client FROM sftp_gateway.open_sessions
         WHERE user_name = ? ORDER BY opened_at DESC LIMIT ?`,
        [clusterName, userName, atMost],
      );
      return rows.map((row) => ({ ...row, ...presented(row), protocol: 'SFTP' }));
    },
  };
}

function presented({ id, openedAt, client }: SessionRow) {
  return { id, openedAt, address: client?.address, client: client?.client };
}
