import type { Readable, Writable } from 'node:stream';
import type { EndpointContract, ResponseBody } from '@waybill/contracts/endpoints/endpoint';
import type { WrittenJson } from '@waybill/contracts/endpoints/written-json';
import type { z } from 'zod';

/** A cookie for the client: `Path=/`, `HttpOnly`, `SameSite=Lax`, and `Secure` when the client came by HTTPS. */
export interface ResponseCookie {
  readonly name: string;
  /** Empty: the client deletes the cookie. */
  readonly value: string;
}

/** The parts of a response besides its body. */
export interface ResponseFrame {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly ResponseCookie[];
  /** Called when the last byte was handed over, or with the error that prevented this. */
  readonly afterSend?: (failure?: unknown) => Promise<void>;
}

/** One of the responses of the contract, with its body. */
export type EndpointResponse<E extends EndpointContract> = {
  [S in keyof E['responses'] & number]: ResponseFrame & { readonly status: S } & BodyPart<E['responses'][S]['body']>;
}[keyof E['responses'] & number];

type BodyPart<B extends ResponseBody> = B extends { readonly kind: 'json'; readonly schema: infer S extends z.ZodType }
  ? { readonly body: z.input<S> }
  : B extends { readonly kind: 'stream' }
    ? { readonly body: Readable | Buffer | ByteSource }
    : { readonly body?: never };

/** The same, where a body of JSON may be written already. */
export type WrittenResponse<E extends EndpointContract> = {
  [S in keyof E['responses'] & number]: ResponseFrame & { readonly status: S } & WrittenPart<E['responses'][S]['body']>;
}[keyof E['responses'] & number];

type WrittenPart<B extends ResponseBody> = B extends {
  readonly kind: 'json';
  readonly schema: infer S extends z.ZodType;
}
  ? { readonly body: z.input<S> | WrittenJson<z.input<S>> }
  : BodyPart<B>;

/** A body that writes itself, so that its memory can be used again as soon as it has been sent. */
export interface ByteSource {
  /** Writes everything, waits until it has been handed over, and leaves the destination open. */
  writeTo(destination: Writable): Promise<void>;
}

/** Whether a body writes itself. */
export function isByteSource(body: unknown): body is ByteSource {
  return typeof body === 'object' && body !== null && 'writeTo' in body && typeof body.writeTo === 'function';
}
