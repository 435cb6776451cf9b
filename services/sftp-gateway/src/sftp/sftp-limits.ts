/** What one client, and all of them together, may use of this process. */
export interface SftpLimits {
  /** From the first byte to a successful login. */
  readonly loginGraceMs: number;
  /** Failed attempts before the connection is ended. */
  readonly failedTries: number;
  /** The pause after a failed attempt. */
  readonly failedTryDelayMs: number;
  /** Connections that are not logged in yet. */
  readonly unauthenticatedConnections: number;
  /** The cost per minute of one address for key exchanges that lead to no login. */
  readonly exchangesPerAddress: number;
  /** A session is ended after this time without an SFTP request. */
  readonly idleTimeoutMs: number;
  readonly keepaliveIntervalMs: number;
  readonly keepaliveMisses: number;
  /** Keys are renewed after this much traffic, in both directions together, or after this time. */
  readonly rekeyBytes: number;
  readonly rekeyIntervalMs: number;
  /** The maximum number of open channels of one connection. */
  readonly channels: number;
  /** Requests of one channel that are processed at a time, and the bytes that they carry or request. */
  readonly requestsInFlight: number;
  readonly bytesInFlight: number;
  /** Bytes that wait in a socket for a slow client before more is read for it. */
  readonly unsentBytes: number;
  /** Open files and folders of one channel. */
  readonly openHandles: number;
}
