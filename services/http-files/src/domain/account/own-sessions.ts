import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { AccountHolder, NamedUser } from '../access/caller.ts';
import type { EndLoginSession } from '../logins/end-login-session.ts';
import type { LoginSessions } from '../logins/login-sessions.ts';

/** An open session of a user, as its user sees it. */
export interface OwnSession {
  readonly id: string;
  readonly protocol: Protocol;
  readonly openedAt: Date;
  readonly address: string | undefined;
  readonly client: string | undefined;
}

/** A session over HTTP whose end is not audited; it may have ended in the store. */
export interface RecordedHttpSession extends OwnSession {
  readonly handle: string;
}

/** A session over SFTP, and the gateways that have it. */
export interface RecordedSftpSession extends OwnSession {
  readonly clusterName: string;
  readonly peerName: string;
  readonly serverName: string;
}

/** The sessions of users on all peers, newest first. */
export interface SessionBook {
  listHttp(user: NamedUser): Promise<RecordedHttpSession[]>;
  listSftp(user: NamedUser): Promise<RecordedSftpSession[]>;
}

/** Makes gateways end a session of their user. @throws CodedError `peer_not_answering` if no gateway of the peer runs */
export type EndSftpSession = (session: RecordedSftpSession, userName: UserName) => Promise<void>;

/** The open sessions of users, as they manage them. */
export interface OwnSessions {
  list(holder: AccountHolder): Promise<(OwnSession & { readonly current: boolean })[]>;
  /** Ends a session of the caller. @throws CodedError `own_session_unknown`, `peer_not_answering` */
  end(holder: AccountHolder, id: string): Promise<void>;
}

/** Lists and ends sessions on every peer, over both protocols. */
export function createOwnSessions(ports: {
  book: SessionBook;
  sessions: Pick<LoginSessions, 'look'>;
  endSession: EndLoginSession;
  endSftpSession: EndSftpSession;
}): OwnSessions {
  const { book, sessions, endSession, endSftpSession } = ports;
  const listOpenHttp = async (user: NamedUser) => {
    const recorded = await book.listHttp(user);
    const open = new Set((await sessions.look(recorded.map(({ handle }) => handle))).map(({ id }) => id));
    return recorded.filter(({ id }) => open.has(id));
  };
  return {
    list: async ({ user, sessionId }) => {
      const [overHttp, overSftp] = await Promise.all([listOpenHttp(user), book.listSftp(user)]);
      return [...overHttp, ...overSftp]
        .toSorted((one, other) => other.openedAt.getTime() - one.openedAt.getTime())
        .map((session) => ({ ...session, current: session.id === sessionId }));
    },
    end: async ({ userName, user, sessionId }, id) => {
      const overHttp = (await listOpenHttp(user)).find((session) => session.id === id);
      if (overHttp) {
        const reason = id === sessionId ? undefined : 'ended by its user in another session';
        await endSession({ id, userName, handle: overHttp.handle }, reason);
        return;
      }
      const overSftp = (await book.listSftp(user)).find((session) => session.id === id);
      if (!overSftp) throw new CodedError('own_session_unknown');
      await endSftpSession(overSftp, userName);
    },
  };
}
