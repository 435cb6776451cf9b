import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { createStore } from '../../page-kit/create-store.ts';
import { texts } from '../texts/texts.ts';
import type { EndpointRequest, EndpointResult } from './endpoint-types.ts';
import { RequestFailure } from './request-failure.ts';
import { sendEndpoint } from './send-endpoint.ts';
import { closeSession, currentToken, renewTokens } from './session.ts';

/**
 * Calls an endpoint as the user who is logged in, by its contract:
 * `callEndpoint(findJobEndpoint, { params: { id: 245 }, signal })`. @throws RequestFailure; without a session the login
 * form opens, too
 */
export async function callEndpoint<E extends EndpointContract>(
  endpoint: E,
  request: EndpointRequest<E>,
): Promise<EndpointResult<E>> {
  return withToken((token) => sendEndpoint(endpoint, request, token));
}

/** How often requests were forbidden: the user may be allowed less than is known. */
export const forbiddenRequests = createStore(0);

/** Sends something with an access token, and once more with a new one if the first is not accepted. */
export async function withToken<T>(send: (token: string) => Promise<T>): Promise<T> {
  try {
    return await sendTwice(send);
  } catch (error) {
    if (error instanceof RequestFailure && error.status === 403) forbiddenRequests.set(forbiddenRequests.get() + 1);
    throw error;
  }
}

async function sendTwice<T>(send: (token: string) => Promise<T>): Promise<T> {
  const token = await currentToken();
  if (token === undefined) throw new RequestFailure(401, texts.loginAgain);
  try {
    return await send(token);
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.status !== 401) throw error;
    const renewed = await renewTokens(token);
    if (renewed === undefined) throw error;
    if (renewed === token) closeSession();
    return send(renewed);
  }
}
