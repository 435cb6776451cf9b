import type { Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { release } from '@waybill/contracts/values/release';
import { Agent, errors } from 'undici';
import { PlatformError } from '../platform-error.ts';
import type { ComposedRequest } from './composed-request.ts';
import type { CallOptions, ReceivedHeaders } from './endpoint-call.ts';

/** A response whose body is not read yet. */
export interface RawResponse {
  readonly status: number;
  readonly headers: ReceivedHeaders;
  readonly body: Readable & { text(): Promise<string>; dump(): Promise<void> };
}

/** Connections to one platform. */
export interface Transport {
  /** Sends a request once. Throws `PlatformError` if no answer arrives; what the signal was aborted with otherwise. */
  send(
    request: Pick<ComposedRequest, 'method' | 'target' | 'headers' | 'body'>,
    options: CallOptions,
  ): Promise<RawResponse>;
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;

/** Opens connections to `url` when they are needed. `ca`: certificates in PEM that are trusted besides the usual ones. */
export function createTransport(
  url: string,
  { ca, timeoutMs }: { ca: string | undefined; timeoutMs: number },
): Transport {
  const base = new URL(url);
  const agent = new Agent({
    connect: { timeout: connectTimeoutMs, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) },
  });
  return {
    send: async ({ method, target, headers, body }, options) => {
      const wait = options.timeoutMs ?? timeoutMs;
      try {
        const {
          statusCode,
          headers: received,
          body: content,
        } = await agent.request({
          origin: base.origin,
          path: `${base.pathname.replace(/\/$/u, '')}${target}`,
          method,
          headers: { 'user-agent': `waybill/${release}`, ...headers },
          body: body?.() ?? null,
          headersTimeout: wait,
          bodyTimeout: wait,
          signal: options.signal ?? null,
        });
        return { status: statusCode, headers: received, body: content };
      } catch (error) {
        options.signal?.throwIfAborted();
        throw failureOf(error, base.origin);
      }
    },
    close: () => agent.destroy(),
  };
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** What has happened on the way, as one of the errors of this package. */
export function failureOf(error: unknown, origin: string): PlatformError {
  if (error instanceof PlatformError) return error;
  const code = codeOf(error);
  const cause = error;
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return new PlatformError(`${origin} did not answer in time`, { code: 'timed_out', cause });
  }
  if (code.startsWith('CERT_') || /CERT|ALTNAME|UNABLE_TO_VERIFY|SELF_SIGNED/u.test(code)) {
    return new PlatformError(`the certificate of ${origin} is not trusted (${code})`, {
      code: 'certificate_not_trusted',
      cause,
    });
  }
  if (/^(?:EPROTO|ERR_SSL)/u.test(code)) {
    return new PlatformError(`${origin} does not speak TLS as this client does (${code})`, {
      code: 'answer_unreadable',
      cause,
    });
  }
  if (unreachableCodes.has(code)) {
    return new PlatformError(`${origin} cannot be reached (${code})`, { code: 'unreachable', cause });
  }
  if (error instanceof errors.HTTPParserError) {
    return new PlatformError(`${origin} does not speak HTTP`, { code: 'answer_unreadable', cause });
  }
  return new PlatformError(`the connection to ${origin} was interrupted${code && ` (${code})`}`, {
    code: 'interrupted',
    cause,
  });
}

/** Where a name has several addresses, the error has one error for each. */
function codeOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : '';
}
