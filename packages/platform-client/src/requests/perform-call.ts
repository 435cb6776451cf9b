import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { PlatformError } from '../platform-error.ts';
import { composeRequest, type ComposedRequest, type LooseRequest } from './composed-request.ts';
import { responseToRepeatedDeletion } from './deletion.ts';
import type { ReceivedHeaders } from './endpoint-call.ts';
import { withOwnKey } from './own-key.ts';
import { refusalOf } from './refusal.ts';
import { delayBefore, isRepeatable, pause, type RepetitionPolicy, wasNeverTaken } from './repetition.ts';
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
 * Performs a call, with repetitions where they have no second effect. `identity` are headers beside those of the request.
 * Throws `PlatformError`, or what the signal was aborted with.
 */
type PerformCall = (identity: Readonly<Record<string, string>>) => Promise<LooseResult>;

/** Makes what performs a call to an endpoint; performed again, with other headers of the caller, it is still the same call. */
export function prepareCall(
  { transport, origin, policy }: CallParts,
  endpoint: EndpointContract,
  given: LooseRequest,
): PerformCall {
  const request = withOwnKey(endpoint, given);
  const composed = composeRequest(endpoint, request);
  const repeated = { isRepeatable: isRepeatable(endpoint, request), composed };
  let mayHaveArrived = false;
  return async (identity) => {
    const sent: ComposedRequest = { ...composed, headers: { ...composed.headers, ...identity } };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await readAnswer(endpoint, await transport.send(sent, request), request.signal, origin);
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        const deleted = mayHaveArrived ? responseToRepeatedDeletion(endpoint, request, error) : undefined;
        if (deleted) return deleted;
        const delayMs = delayBefore(attempt, error, repeated, policy);
        if (delayMs === undefined) throw error;
        mayHaveArrived ||= !wasNeverTaken(error);
        await pause(delayMs, request.signal);
      }
    }
  };
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
