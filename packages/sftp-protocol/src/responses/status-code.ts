/** Status codes of SFTP version 3 (draft-ietf-secsh-filexfer-02, section 7). */
export const statusCode = {
  ok: 0,
  eof: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  noConnection: 6,
  connectionLost: 7,
  opUnsupported: 8,
} as const;

/** One of the nine status codes of version 3. */
export type StatusCode = (typeof statusCode)[keyof typeof statusCode];
