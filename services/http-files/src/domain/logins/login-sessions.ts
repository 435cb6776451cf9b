import type { UserName } from '@waybill/contracts/values/user-name';
import type { LoginProof } from '@waybill/directory/standing/login-proof';

/** A login session, shared by all peers of the cluster. It ends after 30 minutes without a request. */
export interface LoginSession {
  /** The id of the session in logs and audit records; not secret. */
  readonly id: string;
  readonly userName: UserName;
  /** The result of `passwordCredential` at the login. If it changes, the session ends. */
  readonly credential: string;
  /** The user's epoch at the login. */
  readonly loginEpoch: number;
  /** The key in the store, from which the token cannot be derived. */
  readonly handle: string;
}

/** The credential of the login, which is always a password. */
export function proofOfSession({ loginEpoch, credential: password }: LoginSession): LoginProof {
  return { loginEpoch, password };
}

/** The login sessions of all peers. */
export interface LoginSessions {
  /** Opens a session, which the token identifies. The token itself is not stored. */
  open(user: Pick<LoginSession, 'userName' | 'credential' | 'loginEpoch'>): Promise<{
    token: string;
    session: LoginSession;
    /** See `generation`. */
    generation: string;
  }>;
  /** The session of a token, whose lifetime is extended; undefined if it has ended. */
  find(token: string): Promise<LoginSession | undefined>;
  /** The sessions of these handles that have not ended. Their lifetimes are not extended. */
  look(handles: readonly string[]): Promise<LoginSession[]>;
  /** Ends a session on every peer. */
  close(handle: string): Promise<void>;
  /** A text that changes whenever all sessions are lost. */
  generation(): Promise<string>;
}
