import type { issueFirstPasswordCodeEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Administration } from '../../domain/administration/administration.ts';
import { callerOf } from './caller-of.ts';

/** Issues a code for the first password of a manager user. */
export function createIssueFirstPasswordCodeHandler({
  renewFirstPassword,
}: Pick<Administration, 'renewFirstPassword'>): EndpointHandler<typeof issueFirstPasswordCodeEndpoint> {
  return async ({ params: { name }, ...request }) => ({
    status: 201,
    // Nothing on the way may keep a secret.
    headers: { 'cache-control': 'no-store' },
    body: await renewFirstPassword(name, callerOf(request)),
  });
}
