import type {
  endOwnSessionEndpoint,
  listOwnSessionsEndpoint,
} from '@waybill/contracts/endpoints/files/account/own-session-endpoints';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { AccountHolder } from '../../domain/access/caller.ts';
import type { OwnSessions } from '../../domain/account/own-sessions.ts';
import { fileResult } from '../file-result.ts';

/** The most sessions that are shown. */
const shownAtMost = 1_000;

/** Lists the open sessions of the caller. */
export function createListOwnSessionsHandler(parts: {
  ownSessions: OwnSessions;
}): SessionHandler<typeof listOwnSessionsEndpoint, AccountHolder> {
  return async ({ principal }) => {
    const sessions = (await parts.ownSessions.list(principal)).slice(0, shownAtMost);
    return {
      status: 200,
      body: {
        sessions: sessions.map(({ id, protocol, openedAt, address = null, client = null, current }) => ({
          id,
          protocol,
          openedAt: openedAt.toISOString(),
          address,
          client,
          current,
        })),
      },
    };
  };
}

/** Ends a session of the caller. */
export function createEndOwnSessionHandler(parts: {
  ownSessions: OwnSessions;
}): SessionHandler<typeof endOwnSessionEndpoint, AccountHolder> {
  return async ({ principal, params: { id } }) => {
    await parts.ownSessions.end(principal, id);
    return { status: 200, body: fileResult('Session ended') };
  };
}
