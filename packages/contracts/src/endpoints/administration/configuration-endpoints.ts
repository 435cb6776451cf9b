import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { etag } from './collection-requests.ts';
import {
  appliedPlanSchema,
  documentLimitBytes,
  exportedDocumentSchema,
  givenDocumentSchema,
  planViewSchema,
  validationSchema,
} from './configuration-views.ts';

const prefix = '/platform-application/api/v1/configuration';
const tag = 'Configuration';
const reading = { kind: 'bearer', permission: 'configuration:read' } as const;
const writing = { kind: 'bearer', permission: 'configuration:write' } as const;
const document = {
  kind: 'json',
  schema: givenDocumentSchema,
  limitBytes: documentLimitBytes,
  // Every variable is one: a large platform has some for each of its partners.
  limitValues: 30_000,
} as const;

/** Shows what applying a document would change. */
export const planConfigurationEndpoint = defineEndpoint({
  id: 'planConfiguration',
  tag,
  method: 'POST',
  path: `${prefix}/plan`,
  summary: 'Plan what applying a document would change',
  description:
    'Shows every change and what follows from it, and changes nothing. The plan can be applied for a day. ' +
    'A document that changes manager users or roles requires `identities:read`, too.',
  authentication: writing,
  body: document,
  responses: { 201: { description: 'The plan', body: { kind: 'json', schema: planViewSchema } } },
  errors: ['configuration_invalid', 'configuration_too_large', 'too_many_requests'],
});

/** Applies a plan. */
export const applyConfigurationEndpoint = defineEndpoint({
  id: 'applyConfiguration',
  tag,
  method: 'POST',
  path: `${prefix}/apply`,
  summary: 'Apply a plan',
  description:
    'Makes the changes of the plan in one transaction, if they are still the ones that it showed: otherwise the answer is ' +
    '409 and `errors` names what has changed since. A plan that was applied before is not applied again.',
  authentication: writing,
  body: { kind: 'json', schema: z.strictObject({ planId: z.uuid() }) },
  responses: { 200: { description: 'The plan is in force', body: { kind: 'json', schema: appliedPlanSchema } } },
  errors: ['plan_unknown', 'plan_outdated', 'configuration_too_large', 'too_many_requests'],
});

/** Checks a document with what is stored. */
export const validateConfigurationEndpoint = defineEndpoint({
  id: 'validateConfiguration',
  tag,
  method: 'POST',
  path: `${prefix}/validate`,
  summary: 'Check a document',
  description:
    'Checks its settings, and its references to what it contains and to what other owners have. A document with manager users or ' +
    'roles requires `identities:read`, too.',
  authentication: reading,
  body: document,
  responses: { 200: { description: 'The result', body: { kind: 'json', schema: validationSchema } } },
  errors: ['configuration_too_large', 'too_many_requests'],
});

/** Exports what owners have as documents. */
export const exportConfigurationEndpoint = defineEndpoint({
  id: 'exportConfiguration',
  tag,
  method: 'GET',
  path: `${prefix}/export`,
  summary: 'Export the configuration',
  description:
    'A document for each source, and one for what the API owns. Applying the document of a source changes nothing. ' +
    'A password is exported as `{ keep: true }`, which leaves it as it is.',
  // Manager users and roles are part of it.
  authentication: { kind: 'bearer', permission: 'identities:read' },
  query: z.strictObject({
    source: z.string().max(128).optional().describe('Only this source; empty: only what the API owns'),
    format: z.enum(['yaml', 'json']).default('yaml').describe('The format of the documents'),
  }),
  responses: {
    200: {
      description: 'The documents',
      body: { kind: 'json', schema: z.object({ documents: z.array(exportedDocumentSchema) }) },
    },
  },
  errors: ['configuration_too_large', 'entity_unknown', 'too_many_requests'],
});

/** The JSON Schema of documents. Editors cannot log in, and the schema is the same for every platform of a release. */
export const readConfigurationSchemaEndpoint = defineEndpoint({
  id: 'readConfigurationSchema',
  tag,
  method: 'GET',
  path: `${prefix}/schema`,
  summary: 'Read the JSON Schema of documents',
  description:
    'With it editors check and complete configuration files. It needs no login: it depends on the release alone, and says nothing ' +
    'about this platform. `waybill schema` prints the same.',
  authentication: { kind: 'none' },
  headers: z.object({
    'if-none-match': z.string().max(2_000).optional().describe('Answer 304 if its `ETag` is one of these'),
  }),
  responses: {
    200: {
      description: 'A JSON Schema of draft 2020-12',
      body: {
        kind: 'json',
        mediaType: 'application/schema+json',
        schema: z
          .record(z.string(), z.unknown())
          .meta({ id: 'ConfigurationSchema', example: { $schema: 'https://json-schema.org/draft/2020-12/schema' } }),
      },
      headers: etag,
    },
    304: { description: 'It has not changed', body: { kind: 'none' } },
  },
  errors: [],
});
