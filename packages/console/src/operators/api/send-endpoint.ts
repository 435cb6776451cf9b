import { basePathSetting } from '@waybill/contracts/endpoints/console-settings';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { texts } from '../texts/texts.ts';
import type { EndpointRequest, EndpointResult, LooseRequest } from './endpoint-types.ts';
import { failureOf, RequestFailure } from './request-failure.ts';

/** Calls an endpoint by its contract, with an access token or without. @throws RequestFailure */
export async function sendEndpoint<E extends EndpointContract>(
  endpoint: E,
  request: EndpointRequest<E>,
  token?: string,
): Promise<EndpointResult<E>> {
  const response = await fetchEndpoint(endpoint, request, token, request.headers);
  return (await readBody(endpoint, response)) as EndpointResult<E>;
}

/** Sends a request; the response can have any status. @throws RequestFailure if there is none */
export async function fetchEndpoint(
  { method, path }: EndpointContract,
  { params = {}, query = {}, body, signal, withCookies = false }: LooseRequest,
  token: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const init: RequestInit = {
    method,
    credentials: withCookies ? 'same-origin' : 'omit',
    headers: {
      ...headers,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  try {
    return await fetch(addressOf(path, params, query), init);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new RequestFailure(0, texts.unreachable);
  }
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
export async function readBody(endpoint: EndpointContract, response: Response): Promise<unknown> {
  const { status } = response;
  const text = await response.text();
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
