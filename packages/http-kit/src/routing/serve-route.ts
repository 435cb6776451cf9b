import { Readable } from 'node:stream';
import { type ActorScope, type Principal, reachOf } from '@waybill/access/principal';
import { bodyLimitsOf } from '@waybill/contracts/endpoints/body-limits';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { permissionTitle } from '@waybill/contracts/roles/permissions';
import { withCorrelation } from '@waybill/service-kit/telemetry/correlation';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { assertMediaType, hasNoBody, parseBody } from '../body/parse-body.ts';
import { parseRequestPart } from '../body/parse-request-part.ts';
import { readBody } from '../body/read-body.ts';
import { refuseBody } from '../body/refuse-body.ts';
import { type Caller, type Exchange, exchangeOf } from '../exchange/exchange.ts';
import { errorStatus } from '../failures/error-status.ts';
import { addressParams } from './address-params.ts';
import { baseUrlOf } from './base-url-of.ts';
import type { BearerAuthenticator, Occasion } from './bearer-authenticator.ts';
import { cutOffLater } from './cut-off-later.ts';
import type { RequestContext } from './endpoint-request.ts';
import { queryValues } from './query-values.ts';
import type { NoteRefusal } from './refused-request.ts';
import type { Route } from './route.ts';
import { sendResponse } from './send-response.ts';
import { assertStillReaches, type CallerWatch, type WatchedCaller } from './watch-callers.ts';

const callerSchema = z.object({
  userName: z.string().optional(),
  sessionId: z.string().optional(),
  apiKeyId: z.string().optional(),
});

const noParameters = z.strictObject({});

/** How long a client may take to send a JSON or form body. */
const bodyTimeoutMs = 30_000;

/** What the routes of a server have in common. */
export interface ServedWith {
  readonly bearer: BearerAuthenticator | undefined;
  readonly refused: NoteRefusal | undefined;
  readonly callers: CallerWatch;
}

/**
 * Serves one route: authenticate, authorise, validate, handle, respond; in this order. A stream to a caller with a bearer token
 * ends when the token is no longer valid, or the caller's permission is gone or reaches less.
 */
export function serveRoute(route: Route, { bearer, refused = async () => {}, callers }: ServedWith): RequestHandler {
  const { endpoint } = route;
  const isWatched = isStreamToBearer(endpoint);
  if (endpoint.authentication.kind === 'bearer' && bearer === undefined) {
    throw new Error(`${endpoint.id} needs a bearer authenticator`);
  }
  const serve = async (request: Request, response: Response, seen: Seen): Promise<void> => {
    const exchange = exchangeOf(request);
    exchange.endpoint = endpoint;
    for (const [name, value] of Object.entries(route.headers ?? {})) response.setHeader(name, value);
    const context = contextOf(request, exchange);
    const identify = (occasion: Occasion) => authenticate(route, context, bearer, occasion);
    const principal = await identify('request');
    seen.principal = principal;
    const caller = correlationOf(principal);
    exchange.caller = caller;
    await withCorrelation(caller, async () => {
      const actors = authorise(endpoint, principal);
      if (exchange.hasBrokenAddress) throw invalidAddress();
      const params = parseRequestPart('address', endpoint.params, addressParams(request.params));
      const query = parseRequestPart('query', queryOf(endpoint), queryValues(request.originalUrl));
      parseRequestPart('headers', endpoint.headers, request.headers);
      const openStream = () => openBody(request, response, exchange);
      const body = await readContractBody(endpoint, request, openStream);
      seen.body = body;
      const recheck = async () => assertStillReaches(actors, authorise(endpoint, await identify('response')));
      using watched = isWatched ? callers.watch(recheck) : undefined;
      const signal = signalOf(context, watched);
      const answer = await route.handle({ ...context, signal, params, query, body, principal, actors, openStream });
      using _cut = watched && answer.body instanceof Readable ? cutOffLater(answer.body, watched.signal) : undefined;
      const secure = context.baseUrl.startsWith('https:');
      await sendResponse(response, answer, endpoint.responses[answer.status], secure);
    });
  };
  return async (request, response) => {
    const seen: Seen = { principal: undefined, body: undefined };
    try {
      await serve(request, response, seen);
    } catch (error) {
      // A response that has begun was not refused: it ends early.
      if (error instanceof CodedError && errorStatus(error.code) !== 503 && !response.headersSent) {
        const { path: address, method, headers } = request;
        const { apiKey } = exchangeOf(request).caller;
        const caller = apiKey === undefined ? {} : { apiKey };
        await withCorrelation(caller, () => refused({ endpoint, error, address, method, headers, ...seen }));
      }
      throw error;
    }
  };
}

function signalOf({ signal }: RequestContext, watched: WatchedCaller | undefined): AbortSignal {
  return watched ? AbortSignal.any([signal, watched.signal]) : signal;
}

/** What is known of a request when it is refused. */
interface Seen {
  principal: unknown;
  body: unknown;
}

function contextOf(request: Request, { requestId, origin, signal, bytesBefore }: Exchange): RequestContext {
  const { localAddress = '', localPort = 0 } = request.socket;
  const fallback = `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
  return {
    method: request.method,
    headers: request.headers,
    requestId,
    clientAddress: origin.address,
    connection: request.socket,
    bytesBefore,
    baseUrl: baseUrlOf(origin.scheme, origin.host ?? request.headers.host, fallback),
    signal,
  };
}

async function authenticate(
  route: Route,
  context: RequestContext,
  bearer: BearerAuthenticator | undefined,
  occasion: Occasion,
): Promise<unknown> {
  if (route.authenticate !== undefined) return route.authenticate(context);
  return route.endpoint.authentication.kind === 'bearer' ? bearer?.(context, occasion) : undefined;
}

function isStreamToBearer({ authentication, responses }: EndpointContract): boolean {
  return authentication.kind === 'bearer' && Object.values(responses).some(({ body }) => body.kind === 'stream');
}

/** The actors for which the principal has the permission. @throws CodedError `not_permitted` */
function authorise({ authentication }: EndpointContract, principal: unknown): ActorScope {
  if (authentication.kind !== 'bearer' || authentication.permission === undefined) return undefined;
  const { permission, ofActor = false } = authentication;
  const reach = reachOf((principal as Principal).grants, permission);
  if (reach === 'all') return undefined;
  if (ofActor && reach.length > 0) return reach;
  const limited = reach.length > 0 ? ' without a limit to actors' : '';
  throw new CodedError('not_permitted', {
    detail: `This requires the permission ${permissionTitle(permission)}${limited}`,
  });
}

/** An endpoint of the management interfaces that has no parameters refuses all of them. */
function queryOf({ query, authentication }: EndpointContract): z.ZodType | undefined {
  return query ?? (authentication.kind === 'bearer' ? noParameters : undefined);
}

function correlationOf(principal: unknown): Caller {
  const { userName, sessionId, apiKeyId } = callerSchema.safeParse(principal).data ?? {};
  return {
    ...(userName !== undefined && { userName }),
    ...(sessionId !== undefined && { sessionId }),
    ...(apiKeyId !== undefined && { apiKey: Number(apiKeyId) }),
  };
}

function invalidAddress(): CodedError {
  return new CodedError('validation_failed', { detail: 'The percent-encoding of the address is invalid' });
}

async function readContractBody(
  { body, query, authentication }: EndpointContract,
  request: Request,
  openStream: () => Request,
): Promise<unknown> {
  const limits = { limitBytes: bodyLimitsOf(body).bytes, timeoutMs: bodyTimeoutMs };
  if (body === undefined) {
    // Elsewhere they are ignored: clients of area D, and some clients with GET, send bodies that mean nothing.
    const isRefused = authentication.kind === 'bearer' && request.method !== 'GET' && !hasNoBody(request.headers);
    if (isRefused) refuseBody(await readBody(openStream(), limits), query);
    return undefined;
  }
  assertMediaType(body, request.headers);
  if (body.kind === 'stream') return undefined;
  return parseRequestPart('body', body.schema, parseBody(body, await readBody(openStream(), limits)));
}

function openBody(request: Request, response: Response, exchange: Exchange): Request {
  if (exchange.awaitsContinue) response.writeContinue();
  exchange.awaitsContinue = false;
  return request;
}
