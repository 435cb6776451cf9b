/** A login session as every peer of the cluster knows it. It ends after 30 minutes without a request. */
export interface LoginSession {
  /** Names the session in logs and records; no secret. */
  readonly id: string;
  readonly userName: string;
  /** What opened it, as `credentialOf` says: when that is another one, the session is over. */
  readonly credential: string;
}

/** Keeps login sessions for all peers. */
export interface LoginSessions {
  /** Opens a session; who holds the token is its user. The token itself is not kept. */
  open(userName: string, credential: string): Promise<{ token: string; session: LoginSession }>;
  /** The session of a token, which it keeps alive; nothing when it has ended. */
  find(token: string): Promise<LoginSession | undefined>;
  /** Ends the session of a token on every peer; false when it had ended already. */
  close(token: string): Promise<boolean>;
}
