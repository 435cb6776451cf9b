import { basePathSetting } from '@waybill/contracts/endpoints/console-settings';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { noteServerTime } from '../../page-kit/format/server-clock.ts';
import { startTimeLimit, type TimeLimit } from '../../page-kit/time-limit.ts';
import { texts } from '../texts/texts.ts';
import type { EndpointRequest, EndpointResult, LooseRequest } from './endpoint-types.ts';
import { createGate, type Gate } from './gate.ts';
import { failureOf, RequestFailure } from './request-failure.ts';
import { limitMs, usualLimitMs } from './time-limits.ts';

/** A response that has arrived completely. */
export interface ReceivedResponse extends Pick<Response, 'status' | 'ok' | 'headers'> {
  readonly text: string;
}

/**
 * The services beside the job manager, by their paths. A request hangs as long as its service does: one service alone does not take
 * all connections that a browser has over HTTP/1.1, however many pages it shows.
 */
const gates = [
  ['/platform-application/api/v1/audit/', createGate('audit', 2)],
  ['/platform-application/api/v1/infrastructure/', createGate('infrastructure', 2)],
] as const;

/** Calls an endpoint by its contract, with an access token or without. @throws RequestFailure */
export async function sendEndpoint<E extends EndpointContract>(
  endpoint: E,
  request: EndpointRequest<E>,
  token?: string,
): Promise<EndpointResult<E>> {
  const response = await fetchEndpoint(endpoint, request, token, request.headers);
  return readBody(endpoint, response) as EndpointResult<E>;
}

/** Sends a request and receives the response, of any status. @throws RequestFailure if there is none, or not in time */
export function fetchEndpoint(
  endpoint: EndpointContract,
  request: LooseRequest,
  token: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<ReceivedResponse> {
  return inTime(endpoint, request, (limit) => {
    const receive = async (): Promise<ReceivedResponse> => {
      const response = await transmit(endpoint, request, { token, headers, signal: limit.signal });
      const { status, ok } = response;
      limit.restart(Math.max(limitMs.body, limitOf(endpoint, request)));
      return { status, ok, headers: response.headers, text: await response.text() };
    };
    return gateOf(endpoint)?.(receive, limit.signal) ?? receive();
  });
}

/** The same, once the response has begun: for what is long, or does not end. */
export function openEndpoint(
  endpoint: EndpointContract,
  request: LooseRequest,
  token: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return inTime(endpoint, request, ({ signal }) => transmit(endpoint, request, { token, headers, signal }));
}

/** What reads from a service with a gate waits there. The rest is long, or what a user has just asked for. */
function gateOf(endpoint: EndpointContract): Gate | undefined {
  if (endpoint.method !== 'GET' || usualLimitMs(endpoint) > limitMs.searched) return undefined;
  return gates.find(([prefix]) => endpoint.path.startsWith(prefix))?.[1];
}

function limitOf(endpoint: EndpointContract, request: LooseRequest): number {
  return request.limitMs ?? usualLimitMs(endpoint);
}

async function inTime<T>(
  endpoint: EndpointContract,
  request: LooseRequest,
  work: (limit: TimeLimit) => Promise<T>,
): Promise<T> {
  const limit = startTimeLimit(limitOf(endpoint, request), request.signal);
  try {
    return await work(limit);
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    const lateMs = limit.lateMs();
    if (lateMs === undefined) throw new RequestFailure(0, texts.unreachable);
    const text = endpoint.method === 'GET' ? texts.noAnswer : texts.outcomeUnknown;
    throw new RequestFailure(0, text(lateMs / 1_000));
  } finally {
    limit.stop();
  }
}

async function transmit(
  { method, path }: EndpointContract,
  { params = {}, query = {}, body, withCookies = false }: LooseRequest,
  sent: { token: string | undefined; headers: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<Response> {
  const response = await fetch(addressOf(path, params, query), {
    method,
    credentials: withCookies ? 'same-origin' : 'omit',
    headers: {
      ...sent.headers,
      ...(sent.token !== undefined && { Authorization: `Bearer ${sent.token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: sent.signal,
  });
  noteServerTime(response);
  return response;
}

function addressOf(
  path: string,
  params: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const named = path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(textOf(params[name])));
  const address = path.startsWith('/job-manager/') ? `${jobsBasePath()}${named}` : named;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, textOf(value));
  return search.size === 0 ? address : `${address}?${search.toString()}`;
}

/** The context path of the job endpoints, which the page is served with if there is one. */
function jobsBasePath(): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${basePathSetting}"]`)?.content ?? '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The body of a response, by its contract. @throws RequestFailure */
export function readBody(endpoint: EndpointContract, { status, text }: ReceivedResponse): unknown {
  const body = endpoint.responses[status]?.body;
  if (body === undefined) throw failureOf(status, text);
  if (body.kind === 'none') return undefined;
  if (body.kind === 'stream') return text;
  const content = body.schema.safeParse(asJson(text));
  if (content.success) return content.data;
  // A refusal may have the status of a response: 409 of a repeated submission, for example.
  throw status >= 400 ? failureOf(status, text) : new RequestFailure(status, texts.unreadable);
}

function asJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
