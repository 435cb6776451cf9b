import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { PlatformError } from '../platform-error.ts';
import { composeRequest, type ComposedRequest, type LooseRequest } from './composed-request.ts';
import type { ReceivedHeaders } from './endpoint-call.ts';
import { refusalOf } from './refusal.ts';
import { delayBefore, isRepeatable, pause, type RepetitionPolicy, wasNeverTaken, withOwnKey } from './repetition.ts';
import { failureOf, type RawResponse, type Transport } from './transport.ts';

/** The answer of an endpoint, without the types of its contract. */
export interface LooseResult {
  readonly status: number;
  readonly headers: ReceivedHeaders;
  readonly body: unknown;
}

/** What a call needs. */
interface CallParts {
  readonly transport: Transport;
  readonly origin: string;
  readonly policy: RepetitionPolicy;
}

/**
 * Calls an endpoint, with repetitions where they have no second effect. `identity` are headers beside those of the request.
 * Throws `PlatformError`, or what the signal was aborted with.
 */
export async function performCall(
  { transport, origin, policy }: CallParts,
  endpoint: EndpointContract,
  given: LooseRequest,
  identity: Readonly<Record<string, string>>,
): Promise<LooseResult> {
  const request = withOwnKey(endpoint, given);
  let isRepetition = false;
  const composed = composeRequest(endpoint, request);
  const sent: ComposedRequest = { ...composed, headers: { ...composed.headers, ...identity } };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readAnswer(endpoint, await transport.send(sent, request), request.signal, origin);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const delayMs = delayBefore(attempt, error, { isRepeatable: isRepeatable(endpoint, request), composed }, policy);
      if (delayMs === undefined) {
        if (isRepetition && endpoint.method === 'DELETE' && error.status === 404) return deletedBefore(endpoint, error);
        throw error;
      }
      isRepetition ||= !wasNeverTaken(error);
      await pause(delayMs, request.signal);
    }
  }
}

/** A deletion that an attempt before this one has made. @throws PlatformError with `isRepetition`, if the answer would have a body */
function deletedBefore({ responses }: EndpointContract, error: PlatformError): LooseResult {
  const [status] = Object.entries(responses).find(([, { body }]) => body.kind === 'none') ?? [];
  if (status !== undefined) return { status: Number(status), headers: {}, body: undefined };
  const { message, code, fields, requestId } = error;
  throw new PlatformError(message, { code, status: error.status, fields, requestId, cause: error, isRepetition: true });
}

async function readAnswer(
  endpoint: EndpointContract,
  response: RawResponse,
  signal: AbortSignal | undefined,
  origin: string,
): Promise<LooseResult> {
  const { status, headers, body } = response;
  const contract = endpoint.responses[status];
  if (contract?.body.kind === 'stream') return { status, headers, body };
  const text = await readText(response, signal, origin);
  if (!contract) throw refusalOf(endpoint, { status, headers, text });
  if (contract.body.kind === 'none') return { status, headers, body: undefined };
  try {
    return { status, headers, body: contract.body.schema.parse(JSON.parse(text)) };
  } catch (cause) {
    // A refusal may have the status of a response: 409 of a repeated submission, for example.
    if (status >= 400) throw refusalOf(endpoint, { status, headers, text });
    const message = `the answer of ${endpoint.id} does not have the form that this release knows`;
    throw new PlatformError(message, { code: 'answer_unreadable', status, cause });
  }
}

async function readText({ body }: RawResponse, signal: AbortSignal | undefined, origin: string): Promise<string> {
  try {
    return await body.text();
  } catch (error) {
    signal?.throwIfAborted();
    throw failureOf(error, origin);
  }
}
