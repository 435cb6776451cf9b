import { randomUUID } from 'node:crypto';

/** The id that a client or proxy gave the request in `X-Request-Id` when it is a sane one, else a new one. */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{8,128}$/u.test(header) ? header : randomUUID();
}
