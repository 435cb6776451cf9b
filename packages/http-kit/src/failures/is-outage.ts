/** Codes of Node's sockets, of PostgreSQL (class 08, 53 and 57) and of Redis that mean: temporarily unavailable. */
const outageCodes =
  /^(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|08\w{3}|53\w{3}|57P0\d|57014)$/u;

const outageNames = new Set(['KnexTimeoutError', 'MaxRetriesPerRequestError', 'TimeoutError']);

/** Messages of libraries that give no code. The query builder puts the statement and ` - ` before them. */
const outageMessages =
  /(?:^| - )(?:Connection terminated|Connection is closed|Command timed out|Stream isn't writeable|Client has encountered a connection error)/u;

/** True if a dependency (PostgreSQL, Redis, a peer) did not answer: the caller may try again. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (outageCodes.test(code) || outageNames.has(error.name) || outageMessages.test(error.message)) return true;
  if (error instanceof AggregateError && error.errors.some(isOutage)) return true;
  return isOutage(error.cause);
}
