import type { Directory } from '@waybill/directory/directory';
import { whyLoginEnded } from '@waybill/directory/standing/login-proof';
import type { EndLoginSession } from './end-login-session.ts';
import type { LoginRecord, RecordedSession } from './login-record.ts';
import { type LoginSession, type LoginSessions, proofOfSession } from './login-sessions.ts';

/** What sweeping works with. */
export interface SweepLoginSessionsPorts {
  readonly directory: Pick<Directory, 'findPartnerUser'>;
  readonly sessions: Pick<LoginSessions, 'look' | 'generation'>;
  readonly record: Pick<LoginRecord, 'listOpen'>;
  readonly endSession: EndLoginSession;
  /** How long a session lives without a request. */
  readonly idleSeconds: number;
}

/** Sessions that are looked at at once. */
const pageSize = 500;

/**
 * Puts the ends of sessions on the record that nobody has put there: those that were not used, were lost with their store,
 * or whose user may not have them any more. All peers may do so; each end is recorded once.
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
      // Asked last: a store that is lost before this has another one now, and one that is lost after it had the sessions.
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
