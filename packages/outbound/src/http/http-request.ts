import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** The body of a request: it can be read again, for its signature and after a redirect. */
export interface RequestBody {
  /** Bytes. */
  readonly size: number;
  content(): AsyncIterable<Buffer>;
}

/** A request to the address of a connection. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Appended to the path of the connection's address; may have a query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody | undefined;
  /** Identifies the request: of its repetitions, the other side should carry out one. */
  readonly idempotencyKey: string;
}

/** The head of a response. Its body must be read or destroyed. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/** The body of a text. */
export function textBody(text: string): RequestBody {
  const bytes = Buffer.from(text);
  return {
    size: bytes.length,
    async *content() {
      yield await Promise.resolve(bytes);
    },
  };
}
