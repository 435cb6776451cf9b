import { Readable } from 'node:stream';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { CallOptions, SentContent } from './endpoint-call.ts';

/** A request to an endpoint, without the types of its contract. */
export interface LooseRequest extends CallOptions {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
}

/** What is sent. */
export interface ComposedRequest {
  readonly method: EndpointContract['method'];
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the body; called for each attempt. */
  readonly body: (() => Uint8Array | Readable) | undefined;
  /** Whether the body can be made again. */
  readonly isReplayable: boolean;
}

/** Whether a body is a stream, which can be sent once. */
export function isStream(body: unknown): boolean {
  return body instanceof Readable;
}

/** Turns a request into method, address, headers and body, as the contract of the endpoint has them. */
export function composeRequest(endpoint: EndpointContract, request: LooseRequest): ComposedRequest {
  const query = queryOf(valuesOf(request.query));
  const content = contentOf(endpoint, request);
  return {
    method: endpoint.method,
    target: `${addressOf(endpoint.path, valuesOf(request.params))}${query === '' ? '' : `?${query}`}`,
    headers: { ...content.headers, ...headersOf(valuesOf(request.headers)) },
    body: content.body,
    isReplayable: content.isReplayable,
  };
}

function valuesOf(part: unknown): Readonly<Record<string, unknown>> {
  return typeof part === 'object' && part !== null ? { ...part } : {};
}

/** `/a/:name` and `/a{/*path}` with the parameters in them, percent-encoded. */
function addressOf(path: string, params: Readonly<Record<string, unknown>>): string {
  return path
    .replaceAll(/(?:\{\/\*(\w+)\}|\/\*(\w+))/gu, (_, optional?: string, required?: string) => {
      const names = textOf(params[optional ?? required ?? ''] ?? '')
        .split('/')
        .filter((name) => name !== '');
      return names.map((name) => `/${encodeSegment(name)}`).join('');
    })
    .replaceAll(/:(\w+)/gu, (_, name: string) => encodeSegment(textOf(params[name])));
}

/** `.` and `..` would be removed from an address. */
function encodeSegment(text: string): string {
  return /^\.{1,2}$/u.test(text) ? text.replaceAll('.', '%2E') : encodeURIComponent(text);
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) query.append(name, textOf(each));
  }
  return query.toString();
}

function headersOf(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, textOf(value)]])),
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError('parameters are texts, numbers and booleans');
}

function contentOf({ body: contract }: EndpointContract, { body, contentType }: LooseRequest) {
  if (body === undefined || contract === undefined) {
    return { headers: {}, body: undefined, isReplayable: true };
  }
  if (contract.kind === 'stream') {
    const content = body as SentContent;
    return {
      headers: { 'content-type': contentType ?? usualMediaType(contract.mediaTypes) },
      body: typeof content === 'function' ? content : () => content,
      isReplayable: !isStream(content),
    };
  }
  const text = contract.kind === 'json' ? JSON.stringify(body) : queryOf(valuesOf(body));
  const json = contract.kind === 'json' ? (contract.mediaTypes?.[0] ?? 'application/json') : undefined;
  return {
    headers: { 'content-type': json ?? 'application/x-www-form-urlencoded' },
    body: () => Buffer.from(text),
    isReplayable: true,
  };
}

/** Where any media type is taken, that of bytes: a form would need a boundary, which the body has. */
function usualMediaType(mediaTypes: readonly string[]): string {
  const [first = '*/*'] = mediaTypes;
  return mediaTypes.includes('*/*') || first === '*/*' ? 'application/octet-stream' : first;
}
