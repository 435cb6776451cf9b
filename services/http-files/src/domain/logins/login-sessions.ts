import type { UserName } from '@waybill/contracts/values/user-name';
import type { LoginProof } from '@waybill/directory/standing/login-proof';

/** A login session as every peer of the cluster knows it. It ends after 30 minutes without a request. */
export interface LoginSession {
  /** Names the session in logs and records; no secret. */
  readonly id: string;
  readonly userName: UserName;
  /** What opened it, as `passwordCredential` says: when that is another one, the session is over. */
  readonly credential: string;
  /** The user's when it was opened. */
  readonly loginEpoch: number;
  /** Names it where it is kept; its token cannot be told from it. */
  readonly handle: string;
}

/** What its user logged in with: always a password. */
export function proofOfSession({ loginEpoch, credential: password }: LoginSession): LoginProof {
  return { loginEpoch, password };
}

/** Keeps login sessions for all peers. */
export interface LoginSessions {
  /** Opens a session; who holds the token is its user. The token itself is not kept. */
  open(user: Pick<LoginSession, 'userName' | 'credential' | 'loginEpoch'>): Promise<{
    token: string;
    session: LoginSession;
    /** As `generation` says. */
    generation: string;
  }>;
  /** The session of a token, which it keeps alive; nothing when it has ended. */
  find(token: string): Promise<LoginSession | undefined>;
  /** The sessions of these handles that have not ended. They live no longer by that. */
  look(handles: readonly string[]): Promise<LoginSession[]>;
  /** Ends a session on every peer. */
  close(handle: string): Promise<void>;
  /** Another text whenever all sessions were lost. */
  generation(): Promise<string>;
}
