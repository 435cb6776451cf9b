import { issueFirstPasswordCodeEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import { explainAccessEndpoint } from '@waybill/contracts/endpoints/administration/explain-access';
import { listExpiriesEndpoint } from '@waybill/contracts/endpoints/administration/list-expiries';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { OpenAdministration } from '../../adapters/administration/open-administration.ts';
import { callerOf } from './caller-of.ts';
import { createConfigurationRoutes } from './configuration-routes.ts';
import { createConnectionSshKeyRoutes } from './connection-ssh-key-routes.ts';
import { createExplainAccessHandler } from './explain-access-handler.ts';
import { createListExpiriesHandler } from './list-expiries-handler.ts';
import { createOwnershipRoutes } from './ownership-routes.ts';
import { createPartRoutes } from './part-routes.ts';
import { createResourceRoutes } from './resource-routes.ts';
import { createSecretRoutes } from './secret-routes.ts';
import { createUserSshKeyRoutes } from './user-ssh-key-routes.ts';
import { createWorkflowRevisionRoutes } from './workflow-revision-routes.ts';

/** The endpoints of the configuration: its objects, their owners, documents, keys and secrets. */
export function createAdministrationRoutes(parts: OpenAdministration): Route[] {
  const { administration, configurations, ownership, keysOfUsers, storedSecrets, connectionSshKeys } = parts;
  return [
    ...createConfigurationRoutes(configurations),
    ...createOwnershipRoutes(ownership, administration),
    ...createResourceRoutes(administration),
    ...createPartRoutes(administration),
    ...createWorkflowRevisionRoutes(administration),
    ...createUserSshKeyRoutes(keysOfUsers),
    ...createSecretRoutes(storedSecrets),
    ...createConnectionSshKeyRoutes(connectionSshKeys, storedSecrets),
    bindEndpoint(issueFirstPasswordCodeEndpoint, async ({ params: { name }, ...request }) => ({
      status: 201,
      // Nothing on the way may keep a secret.
      headers: { 'cache-control': 'no-store' },
      body: await administration.renewFirstPassword(name, callerOf(request)),
    })),
    bindEndpoint(explainAccessEndpoint, createExplainAccessHandler(administration)),
    bindEndpoint(listExpiriesEndpoint, createListExpiriesHandler(parts)),
  ];
}
