import type { ActorScope } from '@waybill/access/principal';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { httpSessionKey } from '@waybill/contracts/messages/session-termination';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import type { HttpSession, HttpSessionQuery, HttpSessions } from '../domain/sessions/http-sessions.ts';
import type { ServerAddress } from '../domain/sessions/server-session.ts';

interface SessionRow extends HttpSession {
  readonly handle: string;
  readonly total: number;
}

/** Keys that one command looks for. */
const lookedForAtOnce = 1_000;

/** What ends sessions, and where. */
interface Site {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly server: ServerAddress;
  readonly managerName: string;
}

/**
 * The sessions of http-files: PostgreSQL has each one until its end is audited, and Redis those that are valid. A session that has
 * run out is left to http-files, which audits why it has ended.
 */
export function createKnexHttpSessions(site: Site): HttpSessions {
  const { db, redis } = site;
  return {
    list: async (query) => {
      const rows = await readRows(db, query, isNotFrozen);
      const valid = await validOf(redis, rows);
      return { sessions: valid, total: (rows[0]?.total ?? 0) - (rows.length - valid.length) };
    },
    end: async (sessionId, { requestedBy, actors }) => {
      const [session] = await validOf(redis, await readRows(db, { sessionId, actors, limit: 1 }));
      if (session === undefined) return undefined;
      const [ended] = await endSessions(site, [session], { requestedBy });
      return ended;
    },
    endAllOf: async (userName, by) => {
      const sessions = await validOf(redis, await readRows(db, { userName, actors: undefined }));
      if (sessions.length > 0) await endSessions(site, sessions, by);
    },
  };
}

interface EndedBy {
  readonly requestedBy: string;
  readonly reason?: string;
}

/** Ends sessions, and returns those that nobody else has ended. */
async function endSessions(site: Site, sessions: readonly SessionRow[], by: EndedBy): Promise<readonly SessionRow[]> {
  const { db, redis } = site;
  return await db.transaction(async (trx) => {
    // Another end that runs waits here, and then finds nothing to end.
    const { rows } = await trx.raw<{ rows: { id: string }[] }>(
      `DELETE FROM http_files.login_sessions
        WHERE id IN (SELECT CAST(jsonb_array_elements_text(CAST(? AS jsonb)) AS uuid)) RETURNING id`,
      [JSON.stringify(sessions.map(({ sessionId }) => sessionId))],
    );
    const deleted = new Set(rows.map(({ id }) => id));
    const ended = sessions.filter(({ sessionId }) => deleted.has(sessionId));
    if (ended.length === 0) return ended;
    await appendToOutbox(
      trx,
      ended.map((session) => ({ topic: 'audit-event', payload: eventOf(site, session, by) })),
    );
    await redis.del(ended.map(({ handle }) => httpSessionKey(handle)));
    return ended;
  });
}

/** A login that has begun before the freeze may note its session after it. */
const isNotFrozen = 'user_name NOT IN (SELECT f.user_name FROM directory.frozen_users f)';

async function readRows(
  db: Database,
  query: HttpSessionQuery & { readonly sessionId?: string },
  condition = 'true',
): Promise<readonly SessionRow[]> {
  const { sessionId = null, userName = null, peerName = null, serverName = null, actors, limit = null } = query;
  const { rows } = await db.raw<{ rows: SessionRow[] }>(
    `SELECT id AS "sessionId", user_name AS "userName", handle, peer_name AS "peerName", server_name AS "serverName",
       client, opened_at AS "openedAt", CAST(count(*) OVER () AS int) AS total
     FROM http_files.login_sessions
     WHERE (CAST(:sessionId AS uuid) IS NULL OR id = CAST(:sessionId AS uuid))
       AND (CAST(:userName AS text) IS NULL OR user_name = :userName)
       AND (CAST(:peerName AS text) IS NULL OR peer_name = :peerName)
       AND (CAST(:serverName AS text) IS NULL OR server_name = :serverName)
       AND (CAST(:actors AS jsonb) IS NULL OR user_name IN (
         SELECT u.name FROM directory.partner_users u JOIN directory.actors a ON a.id = u.actor_id
          WHERE a.name IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb)))))
       AND ${condition}
     ORDER BY opened_at, id LIMIT CAST(:limit AS bigint)`,
    { sessionId, userName, peerName, serverName, actors: scopeText(actors), limit },
  );
  return rows;
}

function scopeText(actors: ActorScope): string | null {
  return actors === undefined ? null : JSON.stringify(actors);
}

async function validOf(redis: RedisConnection, rows: readonly SessionRow[]): Promise<SessionRow[]> {
  const valid: SessionRow[] = [];
  for (let from = 0; from < rows.length; from += lookedForAtOnce) {
    const some = rows.slice(from, from + lookedForAtOnce);
    // Only http-files may read what its sessions hold.
    const step = redis.pipeline();
    for (const { handle } of some) step.exists(httpSessionKey(handle));
    const answers = (await step.exec()) ?? [];
    for (const [error] of answers) if (error) throw error;
    valid.push(...some.filter((_, index) => answers[index]?.[1] === 1));
  }
  return valid;
}

function eventOf(
  { server, managerName }: Site,
  { sessionId: session, userName: whose, peerName, serverName }: HttpSession,
  { requestedBy, reason }: EndedBy,
) {
  return composeAuditEvent('sessionTerminated', {
    user: requestedBy,
    nodeId: server.peerName,
    managerName,
    entityType: 'HTTP Server',
    entityName: serverName,
    entityId: peerName,
    names: { whose, session },
    context: { ...currentClient(), session, reason },
  });
}
