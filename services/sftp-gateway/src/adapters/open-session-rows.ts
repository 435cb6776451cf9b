import { prepareChange } from '@waybill/outbox/append-with-change';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { DeadSession } from '../domain/sessions/server-session.ts';

/** The maximum number of sessions in one sweep. */
const sweepSize = 500;

/** Stores an open session, with its audit event. */
export const noteOpenSession = prepareChange(
  'sftp-gateway note open session',
  `INSERT INTO sftp_gateway.open_sessions (session_id, process_id, cluster_name, peer_name, server_name, user_name, client)
   VALUES (:sessionId, :processId, :clusterName, :peerName, :serverName, :userName, CAST(:client AS jsonb))`,
);

/** Removes an ended session; no event is appended if it was already removed. */
export const forgetOpenSession = prepareChange(
  'sftp-gateway forget open session',
  'DELETE FROM sftp_gateway.open_sessions WHERE session_id = :sessionId',
  { onlyIfMade: true },
);

/** Renews the lease of a process. */
export async function renewProcess(db: Database, processId: string): Promise<void> {
  await db.raw(
    `INSERT INTO sftp_gateway.processes (id, renewed_at) VALUES (?, clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET renewed_at = clock_timestamp()`,
    [processId],
  );
}

/**
 * Takes the sessions whose process has not renewed its lease for this long: each session goes to one of the concurrent
 * callers.
 */
export async function takeDeadSessions(trx: Transaction, leaseMs: number): Promise<DeadSession[]> {
  const { rows } = await trx.raw<{ rows: DeadSession[] }>(
    `DELETE FROM sftp_gateway.open_sessions WHERE session_id IN (
       SELECT s.session_id FROM sftp_gateway.open_sessions s
        WHERE NOT EXISTS (
          SELECT FROM sftp_gateway.processes p
           WHERE p.id = s.process_id AND p.renewed_at >= clock_timestamp() - ? * interval '1 millisecond')
        LIMIT ? FOR UPDATE SKIP LOCKED)
     RETURNING session_id AS "sessionId", peer_name AS "peerName", server_name AS "serverName", user_name AS "userName",
       client`,
    [leaseMs, sweepSize],
  );
  return rows;
}

/** Removes a process that stops, and those that died long ago. */
export async function forgetProcesses(db: Database, processId: string): Promise<void> {
  await db.raw(`DELETE FROM sftp_gateway.processes WHERE id = ? OR renewed_at < clock_timestamp() - interval '1 day'`, [
    processId,
  ]);
}
