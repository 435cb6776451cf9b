import type { Database, Transaction } from '@waybill/postgres/database';
import type { ServerAddress } from '../domain/sessions/server-address.ts';

/** A session whose process is gone. */
export interface DeadSession {
  readonly sessionId: string;
  readonly peerName: string;
  readonly serverName: string;
  readonly userName: string;
}

/** Sessions of one sweep at most. */
const sweepSize = 500;

/** Notes that a session is open. */
export async function noteOpenSession(
  trx: Transaction,
  open: { sessionId: string; userName: string; processId: string; server: ServerAddress },
): Promise<void> {
  const { sessionId, userName, processId, server } = open;
  await trx.raw(
    `INSERT INTO sftp_gateway.open_sessions (session_id, process_id, peer_name, server_name, user_name)
     VALUES (?, ?, ?, ?, ?)`,
    [sessionId, processId, server.peerName, server.serverName, userName],
  );
}

/** Notes that a session has ended; false when that was noted before. */
export async function forgetOpenSession(trx: Transaction, sessionId: string): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    'DELETE FROM sftp_gateway.open_sessions WHERE session_id = ?',
    [sessionId],
  );
  return rowCount === 1;
}

/** Tells the others that a process is there. */
export async function renewProcess(db: Database, processId: string): Promise<void> {
  await db.raw(
    `INSERT INTO sftp_gateway.processes (id, renewed_at) VALUES (?, clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET renewed_at = clock_timestamp()`,
    [processId],
  );
}

/** Takes the sessions whose process has not been renewed for this long: each is given to one of those who ask. */
export async function takeDeadSessions(trx: Transaction, leaseMs: number): Promise<DeadSession[]> {
  const { rows } = await trx.raw<{ rows: DeadSession[] }>(
    `DELETE FROM sftp_gateway.open_sessions WHERE session_id IN (
       SELECT s.session_id FROM sftp_gateway.open_sessions s
        WHERE NOT EXISTS (
          SELECT FROM sftp_gateway.processes p
           WHERE p.id = s.process_id AND p.renewed_at >= clock_timestamp() - ? * interval '1 millisecond')
        LIMIT ? FOR UPDATE SKIP LOCKED)
     RETURNING session_id AS "sessionId", peer_name AS "peerName", server_name AS "serverName", user_name AS "userName"`,
    [leaseMs, sweepSize],
  );
  return rows;
}

/** Forgets a process that stops, and those that died long ago. */
export async function forgetProcesses(db: Database, processId: string): Promise<void> {
  await db.raw(`DELETE FROM sftp_gateway.processes WHERE id = ? OR renewed_at < clock_timestamp() - interval '1 day'`, [
    processId,
  ]);
}
