/** What a session is at. */
export interface SessionActivity {
  /** The file that was opened last and is still open, as the user's path. */
  readonly file: string | null;
  readonly direction: 'upload' | 'download' | null;
  /** Bytes of file content since the login. */
  readonly bytesReceived: number;
  readonly bytesSent: number;
  /** Both ways, over the last second or so. */
  readonly bytesPerSecond: number;
}

/** Of a session that has not moved a byte. */
export const noActivity: SessionActivity = {
  file: null,
  direction: null,
  bytesReceived: 0,
  bytesSent: 0,
  bytesPerSecond: 0,
};
