import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { Credentials } from './credentials/credentials.ts';
import { isPlatformError, PlatformError } from './platform-error.ts';
import { isStream, type LooseRequest } from './requests/composed-request.ts';
import type { CallEndpoint, EndpointResult } from './requests/endpoint-call.ts';
import { type LooseResult, prepareCall } from './requests/perform-call.ts';
import { release } from './requests/release.ts';
import { type RepetitionPolicy, usualRepetition } from './requests/repetition.ts';
import { createTransport, failureOf } from './requests/transport.ts';

/** A client of one platform. */
export interface PlatformClient extends AsyncDisposable {
  /** The address of the platform. */
  readonly url: string;
  /** Calls an endpoint by its contract. */
  readonly call: CallEndpoint;
  /** An error of a stream that `call` returned, as a `PlatformError`. */
  explain(error: unknown): PlatformError;
}

/** What a client is made of. */
export interface ClientOptions {
  /** `https://files.example.org:9443`; a path before those of the interface is kept. */
  readonly url: string;
  /** Absent: only endpoints without a login can be called. */
  readonly credentials?: Credentials | undefined;
  /** Certificates in PEM that are trusted besides the usual authorities. */
  readonly ca?: string | undefined;
  /** How long to wait for an answer, in milliseconds; a minute by default. */
  readonly timeoutMs?: number;
  readonly repetition?: RepetitionPolicy;
  /** The header `User-Agent`, which lists of sessions and the audit log show; `waybill-client/<version>` by default. */
  readonly userAgent?: string;
}

const usualTimeoutMs = 60_000;
const usualUserAgent = `waybill-client/${release}`;

/** Makes a client. It connects when it is used; dispose of it to close its connections. */
export function createClient(options: ClientOptions): PlatformClient {
  const { url, credentials, ca, timeoutMs = usualTimeoutMs, repetition: policy = usualRepetition } = options;
  const { userAgent = usualUserAgent } = options;
  const origin = originOf(url);
  const transport = createTransport(url, { ca, timeoutMs, userAgent });
  const prepare = (endpoint: EndpointContract, request: LooseRequest) =>
    prepareCall({ transport, origin, policy }, endpoint, request);
  const anonymous = typed(async (endpoint, request) => prepare(endpoint, request)({}));
  const call = typed(async (endpoint, request) => {
    const perform = prepare(endpoint, request);
    if (endpoint.authentication.kind === 'none') return perform({});
    if (!credentials) throw new PlatformError('this needs a login', { code: 'not_authenticated' });
    const identity = await credentials.headers(anonymous);
    try {
      return await perform(identity);
    } catch (error) {
      if (!isPlatformError(error, 'not_authenticated', 'invalid_credentials')) throw error;
      // A change that was refused for its token had no effect.
      const renewed = await credentials.renew(identity, anonymous);
      if (!renewed || isStream(request.body)) throw error;
      return perform(renewed);
    }
  });
  return {
    url,
    call,
    explain: (error) => failureOf(error, origin),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

function typed(perform: (endpoint: EndpointContract, request: LooseRequest) => Promise<LooseResult>): CallEndpoint {
  return async <E extends EndpointContract>(endpoint: E, request: LooseRequest = {}) =>
    (await perform(endpoint, request)) as EndpointResult<E>;
}

function originOf(url: string): string {
  if (URL.canParse(url) && /^https?:$/u.test(new URL(url).protocol)) return new URL(url).origin;
  throw new PlatformError(`${url} is not the address of a platform: https:// or http:// is missing at its beginning`, {
    code: 'unreachable',
  });
}
