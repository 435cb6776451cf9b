import { type Principal, reachOf } from '@waybill/access/principal';
import {
  applyConfigurationEndpoint,
  exportConfigurationEndpoint,
  planConfigurationEndpoint,
  readConfigurationSchemaEndpoint,
  validateConfigurationEndpoint,
} from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { ConfigurationsInTurn } from '../../domain/administration/configurations.ts';
import { createReadConfigurationSchemaHandler } from './read-configuration-schema-handler.ts';

/** The endpoints of configurations as a whole. */
export function createConfigurationRoutes(configurations: ConfigurationsInTurn): Route[] {
  return [
    bindEndpoint(readConfigurationSchemaEndpoint, createReadConfigurationSchemaHandler()),
    bindEndpoint(planConfigurationEndpoint, async ({ body, principal, actors, signal }) => {
      return { status: 201, body: await configurations.plan(body, { ...principal, actors }, signal) };
    }),
    bindEndpoint(applyConfigurationEndpoint, async ({ body, principal, actors, signal }) => {
      return { status: 200, body: await configurations.apply(body.planId, { ...principal, actors }, signal) };
    }),
    bindEndpoint(validateConfigurationEndpoint, async ({ body, principal, actors, signal }) => {
      const errors = [...(await configurations.validate(body, { ...principal, actors }, signal))];
      return { status: 200, body: { isValid: errors.length === 0, errors } };
    }),
    bindEndpoint(exportConfigurationEndpoint, async ({ query: { source, format }, principal, actors, signal }) => {
      requireReading(principal);
      const owner = source === undefined ? {} : { owner: source === '' ? null : source };
      const documents = await configurations.export({ ...owner, format }, { ...principal, actors }, signal);
      return { status: 200, body: { documents } };
    }),
  ];
}

/** Besides manager users and roles, an export has everything else. @throws CodedError `not_permitted` */
function requireReading({ grants }: Principal): void {
  if (reachOf(grants, 'configuration:read') === 'all') return;
  throw new CodedError('not_permitted', { detail: 'This requires the permission configuration:read, too' });
}
