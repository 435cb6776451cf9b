import { expect, it } from 'vitest';
import { revokeApiKeyEndpoint } from './access/api-key-endpoints.ts';
import { revokeLoginSessionEndpoint } from './access/login-session-endpoints.ts';
import { releaseOutsideNameEndpoint } from './access/outside-name-endpoints.ts';
import { resetSecondFactorEndpoint } from './access/second-factor-endpoints.ts';
import { administeredPartEndpoints } from './administration/part-endpoints.ts';
import { administrationEndpoints } from './administration/resource-endpoints.ts';
import { deleteSecretEndpoint } from './administration/secret-endpoints.ts';
import type { EndpointContract } from './endpoint.ts';
import { fileEndpoints } from './files/file-endpoints.ts';
import { liftLoginBanEndpoint } from './login-bans/lift-login-ban.ts';
import { resetUserSecondFactorEndpoint } from './users/user-second-factor-endpoint.ts';
import { deleteUserSshKeyEndpoint } from './users/user-ssh-key-endpoints.ts';

const endpoints: readonly EndpointContract[] = [
  ...fileEndpoints,
  ...administrationEndpoints,
  ...administeredPartEndpoints,
  revokeApiKeyEndpoint,
  revokeLoginSessionEndpoint,
  releaseOutsideNameEndpoint,
  resetSecondFactorEndpoint,
  deleteSecretEndpoint,
  liftLoginBanEndpoint,
  resetUserSecondFactorEndpoint,
  deleteUserSshKeyEndpoint,
];

it.each(endpoints.filter(({ method }) => method === 'DELETE').map((endpoint) => [endpoint.id, endpoint]))(
  'a repeated deletion has a code and a response of its contract: %s',
  (_, { errors, responses, alreadyDeleted }) => {
    if (!alreadyDeleted) throw new Error('clients report a repetition as a failure');
    const { code, status, body } = alreadyDeleted;
    expect(errors).toContain(code);
    const response = responses[status]?.body;
    if (response?.kind === 'json') response.schema.parse(body?.());
    else expect([response?.kind, body]).toEqual(['none', undefined]);
  },
);
