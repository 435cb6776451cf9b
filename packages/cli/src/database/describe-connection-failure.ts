/**
 * Describes a database that cannot be used in one sentence; `undefined` for any other error. Codes: those of Node's
 * sockets, and SQLSTATE of PostgreSQL.
 */
export function describeConnectionFailure(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  switch (error.code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ENOTFOUND':
    case 'ETIMEDOUT':
      return `the database at DATABASE_URL cannot be reached (${error.code})`;
    case '28000':
    case '28P01':
      return 'the database at DATABASE_URL refuses the user or the password';
    case '3D000':
      return 'the database that DATABASE_URL names does not exist';
    case '42501':
      return 'the user of DATABASE_URL does not have the necessary privileges';
    default:
      return undefined;
  }
}
