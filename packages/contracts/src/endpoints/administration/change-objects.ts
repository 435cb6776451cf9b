import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { versionsSchema } from './collection-requests.ts';
import { changePreviewSchema, dryRunShape, objectChangeSchema } from './configuration-views.ts';
import { objectNameSchema } from './ownership-endpoints.ts';
import { administeredResources } from './resource-table.ts';
import { patchSchema, requestedSettingsSchema } from './resource.ts';

const changeShape = z.strictObject({
  object: objectNameSchema,
  create: z.record(z.string(), z.unknown()).optional().describe('The settings of a new object'),
  patch: z.record(z.string(), z.unknown()).optional().describe('A JSON merge patch (RFC 7396) of an existing one'),
  delete: z.literal(true).optional(),
  ifMatch: versionsSchema
    .describe(
      'Refuse all changes unless the `ETag` of the object before the request is one of these, or it exists (`*`); not with `create`',
    )
    .optional(),
});

const changeSchema = changeShape
  .refine(
    (change) => [change.create, change.patch, change.delete].filter((part) => part !== undefined).length === 1,
    'has one of create, patch and delete',
  )
  .refine(({ create, ifMatch }) => create === undefined || ifMatch === undefined, {
    path: ['ifMatch'],
    message: 'cannot be demanded of what is created: an object that exists is refused anyway',
  });

const { create, patch } = changeShape.shape;

/** With what objects of each collection can have. It is checked with the object. */
const documentedChangeSchema = changeShape
  .extend({
    create: z
      .union(administeredResources.map(requestedSettingsSchema))
      .optional()
      .describe(create.description ?? ''),
    patch: z
      .union(administeredResources.map(patchSchema))
      .optional()
      .describe(patch.description ?? ''),
  })
  .meta({
    id: 'GivenObjectChange',
    example: { object: { collection: 'actors', name: 'umbrella' }, create: { type: 'Partner' } },
  });

const changesOf = <Change extends z.ZodType>(schema: Change) =>
  z.strictObject({ changes: z.array(schema).min(1).max(100) });

/** What is done to one object. */
export type GivenObjectChange = z.infer<typeof changeSchema>;

/** Changes several objects, all or none. */
export const changeObjectsEndpoint = defineEndpoint({
  id: 'changeObjects',
  tag: 'Configuration',
  method: 'POST',
  path: '/platform-application/api/v1/configuration/changes',
  summary: 'Change several objects at once',
  description:
    'All of them or none, in this order: each may refer to what those before it create, and is checked like a request of its own; ' +
    'access tests have to hold after the last one. Versions in `ifMatch` are compared before the first one. They are objects of the API, as in ' +
    'requests for one object; those of manager users and roles require the permissions for them, too. The `errors` of a refusal name the ' +
    'change by its place in the request (`changes[2]`), and wrong settings below it (`changes[2].create.maxSessions`).',
  authentication: { kind: 'bearer', permission: 'configuration:write' },
  query: z.strictObject(dryRunShape),
  body: {
    kind: 'json',
    schema: changesOf(changeSchema),
    documented: changesOf(documentedChangeSchema).meta({ id: 'ObjectChanges' }),
  },
  responses: {
    200: { description: 'What would change, of a dry run', body: { kind: 'json', schema: changePreviewSchema } },
    201: {
      description: 'What was changed',
      body: { kind: 'json', schema: z.object({ changes: z.array(objectChangeSchema) }) },
    },
  },
  errors: ['entity_unknown', 'entity_exists', 'entity_owned', 'entity_in_use', 'precondition_failed'],
});
