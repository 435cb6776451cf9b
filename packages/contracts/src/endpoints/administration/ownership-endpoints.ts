import { z } from 'zod';
import { configurationSourceSchema } from '../../configuration/configuration-source.ts';
import { configuredNameSchema, plainNameSchema } from '../../values/configured-names.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { conditionsSchema, versionsSchema } from './collection-requests.ts';
import { changePreviewSchema, dryRunShape, settingDifferenceSchema } from './configuration-views.ts';
import { administeredResources } from './resource-table.ts';
import { patchSchema } from './resource.ts';

const prefix = '/platform-application/api/v1/configuration';
const tag = 'Configuration';
const writing = { kind: 'bearer', permission: 'configuration:write' } as const;

/** An object, as its address names it. */
export const objectNameSchema = z
  .strictObject({
    collection: z
      .string()
      .refine((name) => administeredResources.some(({ collection }) => collection === name), 'is not a collection')
      .meta({ example: 'users' }),
    name: configuredNameSchema.meta({ example: 'acme' }),
    actor: plainNameSchema.optional().describe('Needed for a Connection Contract').meta({ example: 'acme' }),
  })
  .meta({ id: 'ObjectName' });

/** An object, as its address names it. */
export type ObjectName = z.infer<typeof objectNameSchema>;

const reasonSchema = soundTextSchema.min(1).max(500).describe('For the audit log').meta({ example: 'Incident 4711' });

const passedObjectSchema = objectNameSchema
  .extend({
    ifMatch: versionsSchema
      .describe('Refuse unless its `ETag` is one of these, or it exists (`*`); not if it has passed already')
      .optional(),
  })
  .meta({ id: 'PassedObject' });

/** An object that changes its owner. */
export type PassedObject = z.infer<typeof passedObjectSchema>;

const passingSchema = z
  .strictObject({
    source: configurationSourceSchema,
    objects: z.array(passedObjectSchema).min(1).max(1_000),
    reason: reasonSchema.optional(),
  })
  .meta({ id: 'OwnerChange' });

const done = { 204: { description: 'They have the new owner', body: { kind: 'none' } } } as const;

/** A source takes objects over from the API. */
export const adoptObjectsEndpoint = defineEndpoint({
  id: 'adoptObjects',
  tag,
  method: 'POST',
  path: `${prefix}/adopt`,
  summary: 'Let a source take objects over from the API',
  description:
    'All of them or none. The next document of the source has to describe them: what it leaves out is deleted. The `errors` of a ' +
    'refusal name the object by its place in the request (`objects[2]`).',
  authentication: writing,
  body: { kind: 'json', schema: passingSchema },
  responses: done,
  errors: ['entity_unknown', 'entity_owned', 'precondition_failed'],
});

/** A source gives objects to the API. */
export const releaseObjectsEndpoint = defineEndpoint({
  id: 'releaseObjects',
  tag,
  method: 'POST',
  path: `${prefix}/release`,
  summary: 'Let the API take objects over from a source',
  description:
    'All of them or none. The next document of the source must not describe them. The `errors` of a refusal name the object by its ' +
    'place in the request (`objects[2]`).',
  authentication: writing,
  body: { kind: 'json', schema: passingSchema },
  responses: done,
  errors: ['entity_unknown', 'entity_owned', 'precondition_failed'],
});

const patchTitle = 'A JSON merge patch (RFC 7396)';

const forcedSchema = z.strictObject({
  object: objectNameSchema,
  reason: reasonSchema,
  patch: z.record(z.string(), z.unknown()).optional().describe(patchTitle),
  delete: z.literal(true).optional(),
});

/** Changes what a source owns, in an emergency. */
export const forceObjectEndpoint = defineEndpoint({
  id: 'forceObject',
  tag,
  method: 'POST',
  path: `${prefix}/force`,
  summary: 'Change an object of a source in an emergency',
  description:
    'Patches or deletes an object, which stays with its source. It is drift until the source applies, which undoes it unless its ' +
    'document has the change, too. Access tests do not stop it: those that it breaks are `consequences` of the answer, and drift. What the API owns is changed without force: here, it is refused with 409 (`entity_owned`).',
  authentication: writing,
  query: z.strictObject(dryRunShape),
  headers: conditionsSchema.pick({ 'if-match': true }),
  body: {
    kind: 'json',
    schema: forcedSchema.refine(
      (body) => (body.patch === undefined) !== (body.delete === undefined),
      'has either patch or delete',
    ),
    // With what objects of each collection can have. It is checked with the object.
    documented: forcedSchema
      .extend({ patch: z.union(administeredResources.map(patchSchema)).optional().describe(patchTitle) })
      .meta({ id: 'ForcedChange' }),
  },
  responses: {
    200: {
      description: 'What would change, of a dry run, or what has changed if access tests no longer hold',
      body: { kind: 'json', schema: changePreviewSchema },
    },
    204: { description: 'It is changed', body: { kind: 'none' } },
  },
  errors: ['entity_unknown', 'entity_owned', 'entity_in_use', 'precondition_failed'],
});

const driftSchema = z
  .object({
    sources: z.array(
      z.object({
        source: z.string(),
        file: z.string().nullable().describe('The file that it has applied last'),
        objects: z.array(
          z.object({
            cause: z.enum(['forced', 'released', 'adopted']),
            entityType: z.string(),
            name: z.string(),
            actor: z.string().optional(),
            owner: z.string().nullable().optional().describe('Its owner now; null: the API; absent: it was deleted'),
            differences: z
              .array(settingDifferenceSchema)
              .describe('From what the source has applied to what is in force'),
            reason: z.string(),
            changedBy: z.string(),
            changedAt: z.iso.datetime(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'ConfigurationDrift' });

/** Where the state differs from what sources have applied. */
export type ConfigurationDrift = z.infer<typeof driftSchema>;

/** Shows where the state differs from what sources have applied. */
export const readDriftEndpoint = defineEndpoint({
  id: 'readConfigurationDrift',
  tag,
  method: 'GET',
  path: `${prefix}/drift`,
  summary: 'Show where the state differs from what sources have applied',
  // It shows settings of manager users and roles, too.
  authentication: { kind: 'bearer', permission: 'identities:read' },
  query: z.strictObject({ source: z.string().max(128).optional().describe('Only this source') }),
  responses: { 200: { description: 'The drift of each source', body: { kind: 'json', schema: driftSchema } } },
  errors: ['entity_unknown'],
});
