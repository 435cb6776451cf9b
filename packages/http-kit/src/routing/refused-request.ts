import type { IncomingHttpHeaders } from 'node:http';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { CodedError } from '@waybill/contracts/errors/coded-error';
import { printableText } from '@waybill/service-kit/network/describe-client';

/** A request that was refused, for the audit log. */
export interface RefusedRequest {
  readonly endpoint: EndpointContract;
  readonly error: CodedError;
  readonly method: string;
  /** The path of its address as the client encoded it. */
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the caller could not be authenticated. */
  readonly principal: unknown;
  /** Undefined if the request was refused before its body was read. */
  readonly body: unknown;
}

/** Records refused requests. It never rejects. */
export type NoteRefusal = (refusal: RefusedRequest) => Promise<void>;

const longestAddress = 4_096;

/** The method and the address, printable and cut. */
export function describeRequest({ method, address }: Pick<RefusedRequest, 'method' | 'address'>): string {
  return `${method} ${readable(address)}`;
}

/** What the variable part of the endpoint's address is, decoded and printable: a path of files. */
export function variablePartOf({ endpoint, address }: Pick<RefusedRequest, 'endpoint' | 'address'>): string {
  const [prefix = ''] = endpoint.path.split(/[*:{]/u);
  return readable(address.slice(prefix.length));
}

function readable(text: string): string {
  let decoded = text;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    // It is shown as it was sent.
  }
  return printableText(decoded, longestAddress);
}
