import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { HttpExchange } from '@waybill/outbound/http/http-client';

/** Statuses that may be different the next time (RFC 9110, RFC 6585): the request is worth a repetition. */
const temporaryStatuses: ReadonlySet<number> = new Set([408, 421, 423, 425, 429]);

/** Bytes of a refusal that are shown. */
const shownBytes = 300;

/**
 * Refuses a status that is not expected, with the beginning of its body.
 * @throws CodedError `connection_failed` for 5xx and for statuses that may pass, `remote_refused` for all others
 */
export async function checkResponse(
  exchange: HttpExchange,
  connection: string,
  isExpected: (status: number) => boolean,
): Promise<void> {
  const { status, scrub } = exchange;
  if (isExpected(status)) return;
  const text = scrub.line(await readText(exchange, shownBytes)).trim();
  const detail = `${connection}: the server answers ${status}${text === '' ? '' : `: ${text}`}`;
  const mayPass = status >= 500 || temporaryStatuses.has(status);
  throw new CodedError(mayPass ? 'connection_failed' : 'remote_refused', { detail });
}

/** The first bytes of a body as text that PostgreSQL can store; the rest is not read. */
export async function readText(exchange: Pick<HttpExchange, 'content'>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of exchange.content()) {
    chunks.push(chunk.subarray(0, limit - length));
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).toString().replaceAll('\0', '\uFFFD');
}
