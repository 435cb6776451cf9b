import type { Database, Transaction } from '@waybill/postgres/database';
import { type CausingClient, currentClient } from '@waybill/service-kit/telemetry/correlation';
import type { ServerPlace } from '../domain/access/origin-of.ts';
import type { RecordedSession } from '../domain/logins/login-record.ts';

/** The server where a session was opened, and its user. */
export interface OpenedSession extends Pick<ServerPlace, 'peerName' | 'serverName'> {
  readonly user: string;
  /** Null if an older release has opened the session. */
  readonly client: CausingClient | null;
}

/** Sorts before every id. */
const firstId = '00000000-0000-0000-0000-000000000000';

/** Stores an open session. */
export async function noteSession(trx: Transaction, session: RecordedSession, server: ServerPlace): Promise<void> {
  const { id, userName, handle, generation } = session;
  const { peerName, serverName } = server;
  await trx.raw(
    `INSERT INTO http_files.login_sessions (id, user_name, handle, generation, peer_name, server_name, client)
     VALUES (:id, :userName, :handle, :generation, :peerName, :serverName, CAST(:client AS jsonb))`,
    { id, userName, handle, generation, peerName, serverName, client: JSON.stringify(currentClient()) },
  );
}

/** Removes an open session; undefined if there is none. */
export async function forgetSession(trx: Transaction, id: string): Promise<OpenedSession | undefined> {
  const { rows } = await trx.raw<{ rows: OpenedSession[] }>(
    `DELETE FROM http_files.login_sessions WHERE id = ?
     RETURNING user_name AS "user", peer_name AS "peerName", server_name AS "serverName", client`,
    [id],
  );
  return rows[0];
}

/** Open sessions in the order of their ids. */
export async function listSessions(
  db: Database,
  { afterId = firstId, limit }: { afterId: string | undefined; limit: number },
): Promise<RecordedSession[]> {
  const { rows } = await db.raw<{ rows: RecordedSession[] }>(
    `SELECT id, user_name AS "userName", handle, generation FROM http_files.login_sessions
     WHERE id > CAST(? AS uuid) ORDER BY id LIMIT ?`,
    [afterId, limit],
  );
  return rows;
}
