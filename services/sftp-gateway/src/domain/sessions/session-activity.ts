/** The activity of a session. */
export interface SessionActivity {
  /** The open file that was opened last, as the user's path. */
  readonly file: string | null;
  readonly direction: 'upload' | 'download' | null;
  /** When it was first seen, in milliseconds since 1970; absent without a file. */
  readonly fileSince?: number | undefined;
  /** Bytes that the session has transferred since then. */
  readonly fileBytes?: number | undefined;
  /** Bytes of file content since the login. */
  readonly bytesReceived: number;
  readonly bytesSent: number;
  /** In both directions, over about the last second. */
  readonly bytesPerSecond: number;
}

/** The activity of a session that has not transferred a byte. */
export const noActivity: SessionActivity = {
  file: null,
  direction: null,
  bytesReceived: 0,
  bytesSent: 0,
  bytesPerSecond: 0,
};
