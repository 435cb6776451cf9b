import type { Directory } from '@waybill/directory/directory';
import { whyLoginEnded } from '@waybill/directory/standing/login-proof';
import type { EndLoginSession } from './end-login-session.ts';
import type { LoginRecord, RecordedSession } from './login-record.ts';
import { type LoginSession, type LoginSessions, proofOfSession } from './login-sessions.ts';

/** The ports of the sweep. */
export interface SweepLoginSessionsPorts {
  readonly directory: Pick<Directory, 'findPartnerUser'>;
  readonly sessions: Pick<LoginSessions, 'look' | 'generation'>;
  readonly record: Pick<LoginRecord, 'listOpen'>;
  readonly endSession: EndLoginSession;
  /** The lifetime of a session without a request. */
  readonly idleSeconds: number;
}

/** The number of sessions of a page. */
const pageSize = 500;

/**
 * Audits the ends of sessions that are not audited yet: unused sessions, sessions lost with their store, and sessions
 * whose user may no longer have them. Every peer may do this; each end is audited once.
 */
export type SweepLoginSessions = (signal: AbortSignal) => Promise<void>;

/** Sweeps the sessions of all peers, a page at a time. */
export function createSweepLoginSessions(ports: SweepLoginSessionsPorts): SweepLoginSessions {
  const { directory, sessions, record, endSession, idleSeconds } = ports;

  const reasonOf = async (recorded: RecordedSession, session: LoginSession | undefined, generation: string) => {
    if (session !== undefined) {
      return whyLoginEnded(await directory.findPartnerUser(session.userName), proofOfSession(session));
    }
    return recorded.generation === generation ? `not used for ${idleSeconds} s` : 'lost with the data of Redis';
  };

  return async (signal) => {
    let afterId: string | undefined;
    for (let more = true; more && !signal.aborted;) {
      const page = await record.listOpen({ afterId, limit: pageSize });
      const live = new Map(
        (await sessions.look(page.map(({ handle }) => handle))).map((session) => [session.id, session]),
      );
      // Read last: if the store was lost before this call, the generation has changed; if it is lost afterwards, it had
      // the sessions.
      const generation = await sessions.generation();
      for (const recorded of page) {
        const reason = await reasonOf(recorded, live.get(recorded.id), generation);
        if (reason !== undefined) await endSession(recorded, reason);
      }
      afterId = page.at(-1)?.id;
      more = page.length === pageSize;
    }
  };
}
