/** What one client, and all of them together, may take of this process. */
export interface SftpLimits {
  /** From the first byte to a successful login. */
  readonly loginGraceMs: number;
  /** Failed tries of one connection until it is ended. */
  readonly failedTries: number;
  /** The pause after a failed try. */
  readonly failedTryDelayMs: number;
  /** Connections that nobody has logged in on yet. */
  readonly unauthenticatedConnections: number;
  /** What key exchanges that lead to no login may cost for one address in a minute. */
  readonly exchangesPerAddress: number;
  /** Without an SFTP request, a session is ended. */
  readonly idleTimeoutMs: number;
  readonly keepaliveIntervalMs: number;
  readonly keepaliveMisses: number;
  /** New keys after this much traffic, both ways together, or after this time. */
  readonly rekeyBytes: number;
  readonly rekeyIntervalMs: number;
  /** Channels of one connection at a time. */
  readonly channels: number;
  /** Requests of one channel that are worked on at a time, and the bytes they carry or have asked for. */
  readonly requestsInFlight: number;
  readonly bytesInFlight: number;
  /** Bytes that wait in a socket for a slow client before more is read for it. */
  readonly unsentBytes: number;
  /** Open files and folders of one channel. */
  readonly openHandles: number;
}
