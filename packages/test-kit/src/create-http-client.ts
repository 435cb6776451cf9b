import { type CookieJar, createCookieJar } from './cookie-jar.ts';

/** The parts of a request besides its method and path; at most one of json, form, multipart and body. */
export interface HttpRequestOptions {
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly multipart?: FormData;
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly bearer?: string;
  readonly timeoutMs?: number;
}

/** A response read to its end; of an event stream, which has none, only the head. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The body as UTF-8. */
  readonly text: string;
  /** The body parsed as JSON; throws if it is invalid. */
  json(): unknown;
}

type BodylessMethod = (path: string, options?: HttpRequestOptions) => Promise<HttpResponse>;

/** An HTTP client that keeps cookies and returns responses of any status: the test makes the assertions. */
export interface HttpClient {
  readonly cookies: CookieJar;
  request(method: string, path: string, options?: HttpRequestOptions): Promise<HttpResponse>;
  readonly get: BodylessMethod;
  readonly post: BodylessMethod;
  readonly put: BodylessMethod;
  readonly delete: BodylessMethod;
}

/**
 * Creates a client for the server at `baseUrl` (origin and, if any, a prefix that every path is appended to).
 * Redirects are not followed; a request without an answer after `timeoutMs` (30 s) rejects.
 */
export function createHttpClient(baseUrl: string): HttpClient {
  const cookies = createCookieJar();
  const request = async (method: string, path: string, options: HttpRequestOptions = {}): Promise<HttpResponse> => {
    const response = await fetch(addressOf(baseUrl, path, options.query), {
      method,
      headers: headersOf(options, cookies.header()),
      redirect: 'manual',
      signal: AbortSignal.timeout(options.timeoutMs ?? 30_000),
      ...bodyOf(options),
    });
    cookies.store(response.headers.getSetCookie());
    return readResponse(response);
  };
  const bind =
    (method: string): BodylessMethod =>
    (path, options) =>
      request(method, path, options);
  return { cookies, request, get: bind('GET'), post: bind('POST'), put: bind('PUT'), delete: bind('DELETE') };
}

function addressOf(baseUrl: string, path: string, query: HttpRequestOptions['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) parameters.append(name, String(value));
  return `${baseUrl.replace(/\/$/, '')}${path}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
}

function headersOf({ headers, json, bearer }: HttpRequestOptions, cookie: string | undefined): Record<string, string> {
  return {
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(cookie === undefined ? {} : { cookie }),
    ...headers,
  };
}

function bodyOf({ json, form, multipart, body }: HttpRequestOptions): Pick<RequestInit, 'body' | 'duplex'> {
  if (json !== undefined) return { body: JSON.stringify(json) };
  if (form !== undefined) return { body: new URLSearchParams(form) };
  if (multipart !== undefined) return { body: multipart };
  return body === undefined ? {} : { body, duplex: 'half' };
}

async function readResponse(response: Response): Promise<HttpResponse> {
  const bytes = new Uint8Array(await (isEndless(response) ? letGo(response) : response.arrayBuffer()));
  const text = new TextDecoder().decode(bytes);
  return { status: response.status, headers: response.headers, bytes, text, json: (): unknown => JSON.parse(text) };
}

function isEndless({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

async function letGo({ body }: Response): Promise<ArrayBuffer> {
  await body?.cancel();
  return new ArrayBuffer(0);
}
