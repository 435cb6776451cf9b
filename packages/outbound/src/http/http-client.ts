import type { IncomingHttpHeaders } from 'node:http';
import type { ConnectionOf } from '@waybill/contracts/configuration/connections/client-connection';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Secret } from '@waybill/service-kit/config/secret';
import type { DestinationGuard } from '../address/destination-guard.ts';
import { type CircuitBreaker, noBreaker } from '../limits/circuit-breaker.ts';
import { createScrub, type Scrub } from '../peer/scrub-secrets.ts';
import { createGuardedAgents } from './guarded-agent.ts';
import type { HttpRequest, HttpResponse } from './http-request.ts';
import { requestTarget } from './request-target.ts';
import { connectionFailed, sendRequest } from './send-request.ts';
import { signRequest } from './sign-request.ts';

/** The secrets of an HTTP connection, read for each request. */
export interface HttpSecrets {
  readonly password?: Secret | undefined;
  readonly bearerToken?: Secret | undefined;
  readonly signingKey?: Secret | undefined;
}

/** A response. Disposing of it drops what was not read of its body. */
export interface HttpExchange extends Disposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body. @throws CodedError `connection_failed`; the signal's reason */
  content(): AsyncIterable<Buffer>;
  /** Masks what the other side may echo. */
  readonly scrub: Scrub;
}

/** Sends requests to the address of one connection. */
export interface HttpClient extends Disposable {
  /** Whether requests are signed. */
  readonly isSigned: boolean;
  /**
   * Sends a request, signed if the connection has a key. Redirects are followed as far as the connection allows, each to a
   * checked destination; credentials and signatures go to the connection's own origin only.
   * @throws CodedError `destination_refused`, `connection_failed`, `remote_refused` (too many redirects)
   */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpExchange>;
}

/** What a client needs. */
export interface HttpClientParts {
  readonly guard: DestinationGuard;
  readonly breaker: CircuitBreaker;
  readonly connection: ConnectionOf<'http'>;
  readonly keepMs: number;
  readSecrets(): Promise<HttpSecrets>;
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const standardHeaders = { 'user-agent': 'Waybill', accept: '*/*' } as const;

/** Names that a step may not set: they belong to the connection, or to HTTP itself. */
const reservedHeaders =
  /^(?:host|authorization|proxy-.*|cookie|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|webhook-(?:id|timestamp|signature)|idempotency-key)$/u;

/** A client with its own sockets. */
export function createHttpClient(parts: HttpClientParts): HttpClient {
  const { connection, readSecrets } = parts;
  const { name, url, maxRedirects, idleTimeoutSeconds } = connection;
  const agents = createGuardedAgents({
    guard: parts.guard,
    // Around each request instead: a server that accepts connections and never answers is dead, too.
    breaker: noBreaker,
    connectTimeoutMs: connection.connectTimeoutSeconds * 1_000,
    keepMs: parts.keepMs,
    limit: connection.maxConnections,
    certificateAuthorities: connection.certificateAuthorities,
  });
  return {
    isSigned: connection.signingKey !== undefined,
    send: async (given, asked) => {
      const limit = totalLimit(connection, asked);
      const secrets = await readSecrets();
      const scrub = createScrub([secrets.password, secrets.bearerToken, secrets.signingKey]);
      let request = given;
      let target = requestTarget(url, given.path);
      const { origin } = target;
      const plain = plainHeaders(given);
      for (let hops = 0; ; hops += 1) {
        const isOwn = target.origin === origin;
        // What a step gives may be meant for this partner alone, too.
        const own = isOwn ? { ...plain, ...(await ownHeaders(connection, secrets, request)) } : standardHeaders;
        const headers = { ...own, ...lengthOf(request) };
        const sent = { name, target, request, headers, agents, idleMs: idleTimeoutSeconds * 1_000 };
        const response = await parts.breaker.attempt(() => limit.around(sendRequest(sent, limit.signal)));
        const location = redirects.has(response.status) ? response.headers.location : undefined;
        if (location === undefined || maxRedirects === 0) return { ...exchangeOf(name, response, limit), scrub };
        response.body.destroy();
        if (hops === maxRedirects) throw refusal(name, `redirects more than ${maxRedirects} times`);
        target = redirectTarget(name, target, location);
        request = redirectedRequest(request, response.status);
      }
    },
    [Symbol.dispose]: () => agents.destroy(),
  };
}

/** The time for a request with its response. */
interface TotalLimit {
  readonly signal: AbortSignal;
  /** Restates the end of the time. */
  around<T>(work: Promise<T>): Promise<T>;
}

function totalLimit({ name, totalTimeoutSeconds }: ConnectionOf<'http'>, asked: AbortSignal): TotalLimit {
  const timeout = AbortSignal.timeout(totalTimeoutSeconds * 1_000);
  return {
    signal: AbortSignal.any([asked, timeout]),
    around: async (work) => {
      try {
        return await work;
      } catch (cause) {
        asked.throwIfAborted();
        if (!timeout.aborted) throw cause;
        const detail = `${name}: the request has taken longer than ${totalTimeoutSeconds} s`;
        throw new CodedError('connection_failed', { detail, cause });
      }
    },
  };
}

function exchangeOf(name: string, { status, headers, body }: HttpResponse, limit: TotalLimit) {
  const parts = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const next = async (): Promise<IteratorResult<Buffer>> => {
    try {
      return await parts.next();
    } catch (error) {
      if (limit.signal.aborted) throw error;
      throw connectionFailed(name, error);
    }
  };
  return {
    status,
    headers,
    async *content(): AsyncGenerator<Buffer> {
      for (let part = await limit.around(next()); !part.done; part = await limit.around(next())) yield part.value;
    },
    [Symbol.dispose]: () => void body.destroy(),
  };
}

function plainHeaders({ headers, idempotencyKey }: HttpRequest): Record<string, string> {
  const own = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  for (const [name, value] of own) {
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/u.test(name) || reservedHeaders.test(name)) {
      throw new CodedError('validation_failed', {
        detail: `headers: the header ${JSON.stringify(name)} cannot be set`,
      });
    }
    if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/u.test(value)) {
      throw new CodedError('validation_failed', { detail: `headers: the value of ${name} has forbidden characters` });
    }
  }
  return { ...standardHeaders, ...Object.fromEntries(own), 'idempotency-key': idempotencyKey };
}

function lengthOf({ method, body }: HttpRequest): Record<string, string> {
  if (body) return { 'content-length': String(body.size) };
  return method === 'GET' || method === 'HEAD' ? {} : { 'content-length': '0' };
}

async function ownHeaders(
  { username }: ConnectionOf<'http'>,
  { password, bearerToken, signingKey }: HttpSecrets,
  { idempotencyKey: id, body }: HttpRequest,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const basic = password && Buffer.from(`${username}:${password.reveal()}`).toString('base64');
  return {
    ...(basic !== undefined && { authorization: `Basic ${basic}` }),
    ...(bearerToken && { authorization: `Bearer ${bearerToken.reveal()}` }),
    ...(signingKey && (await signRequest(signingKey, { id, timestamp, body }))),
  };
}

function redirectTarget(name: string, from: URL, location: string): URL {
  const target = URL.parse(location, from.href);
  if (!target || !/^https?:$/u.test(target.protocol)) throw refusal(name, 'redirects to something that is not HTTP');
  if (from.protocol === 'https:' && target.protocol === 'http:') throw refusal(name, 'redirects to unencrypted HTTP');
  if (target.username !== '' || target.password !== '') throw refusal(name, 'redirects with credentials');
  return target;
}

/** RFC 9110, section 15.4: after 303, and by custom after 301 and 302, a POST becomes a GET. */
function redirectedRequest(request: HttpRequest, status: number): HttpRequest {
  const becomesGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST';
  return becomesGet ? { ...request, method: 'GET', body: undefined } : request;
}

function refusal(name: string, reason: string): CodedError {
  return new CodedError('remote_refused', { detail: `${name}: the server ${reason}` });
}
