import type { UserName } from '@waybill/contracts/values/user-name';
import type { LoginProof } from '@waybill/directory/standing/login-proof';

/** A login session, shared by all peers of the cluster. It ends after 30 minutes without use by a request or a running transfer. */
export interface LoginSession {
  /** The id of the session in logs and audit records; not secret. */
  readonly id: string;
  readonly userName: UserName;
  /** The result of `passwordCredential` at the login. If it changes, the session ends. */
  readonly credential: string;
  /** The user's epoch at the login. */
  readonly loginEpoch: number;
  /** The client's address at the login; unknown for sessions of earlier versions. */
  readonly address?: string | undefined;
  /** The key in the store, from which the token cannot be derived. */
  readonly handle: string;
}

/** The credential of the login, which is always a password, and its address with that of a request. */
export function proofOfSession(
  { loginEpoch, credential: password, address }: LoginSession,
  requestAddress = address,
): LoginProof {
  const addresses = [...new Set([address, requestAddress])].filter((one) => one !== undefined);
  return { loginEpoch, password, addresses };
}

/** The login sessions of all peers. */
export interface LoginSessions {
  /** Opens a session, which the token identifies. The token itself is not stored. */
  open(user: Pick<LoginSession, 'userName' | 'credential' | 'loginEpoch' | 'address'>): Promise<{
    token: string;
    session: LoginSession;
    /** See `generation`. */
    generation: string;
  }>;
  /** The session of a token; undefined if it has ended. Its lifetime is extended, unless the request does not count as use. */
  find(token: string, options: { readonly isUse: boolean }): Promise<LoginSession | undefined>;
  /** The sessions of these handles that have not ended. Their lifetimes are not extended. */
  look(handles: readonly string[]): Promise<LoginSession[]>;
  /** Extends the lifetimes of the sessions of these handles that have not ended. */
  extend(handles: readonly string[]): Promise<void>;
  /** Ends a session on every peer. */
  close(handle: string): Promise<void>;
  /** A text that changes whenever all sessions are lost. */
  generation(): Promise<string>;
}
