import {
  type acknowledgeExpectationEndpoint,
  type findExpectationEndpoint,
  listExpectationsEndpoint,
} from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import type { Expectations } from '../../domain/expectations/expectation-state.ts';
import { presentExpectation } from './present-expectation.ts';

/** What the handlers of expectations need. `basePath` is the context path that links begin with. */
export interface ExpectationHandlerParts {
  readonly expectations: Expectations;
  readonly basePath: string;
}

/** The states of expectations, newest first. */
export function createListExpectationsHandler({
  expectations,
  basePath,
}: ExpectationHandlerParts): EndpointHandler<typeof listExpectationsEndpoint> {
  return async ({ query, actors }) => {
    const { maxItems, cursor, dueFrom, dueTo, ...filters } = query;
    const { states, next } = await expectations.list({
      ...filters,
      dueFrom: dueFrom === undefined ? undefined : new Date(dueFrom),
      dueTo: dueTo === undefined ? undefined : new Date(dueTo),
      before: cursor,
      limit: maxItems,
      actors,
    });
    const body = { expectations: states.map(presentExpectation) };
    return {
      status: 200,
      body: { ...body, ...nextLink(`${basePath}${listExpectationsEndpoint.path}`, query, next) },
    };
  };
}

/** One state of an expectation. */
export function createFindExpectationHandler({
  expectations,
}: ExpectationHandlerParts): EndpointHandler<typeof findExpectationEndpoint> {
  return async ({ params, actors }) => ({
    status: 200,
    body: presentExpectation(await expectations.find(params.id, actors)),
  });
}

/** Acknowledges a state of an expectation. */
export function createAcknowledgeExpectationHandler({
  expectations,
}: ExpectationHandlerParts): EndpointHandler<typeof acknowledgeExpectationEndpoint> {
  return async ({ params, body: { reason }, principal: { userName }, actors }) => ({
    status: 200,
    body: presentExpectation(await expectations.acknowledge(params.id, { userName, reason, actors })),
  });
}
