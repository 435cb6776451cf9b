import { z } from 'zod';
import { auditRecordSchema } from '../../values/audit-record.ts';
import { plainNameSchema } from '../../values/configured-names.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countAuditRecordsEndpoint } from './count-audit-records.ts';
import { listAuditRecordsEndpoint } from './list-audit-records.ts';

const activityRecordSchema = auditRecordSchema
  .extend({
    context: z
      .record(z.string(), z.union([z.string(), z.int()]).optional())
      .describe('The circumstances, such as `address`, `session`, `virtualFileSystem`, `fileSize` and `fileHash`')
      .meta({ example: { address: '192.0.2.7', virtualFileSystem: 'partners', fileSize: 1_048_576 } }),
    actor: plainNameSchema
      .nullable()
      .describe(
        'The actor to whom its virtual file system belongs now or, without one, its user; null if nobody or unknown',
      )
      .meta({ example: 'acme' }),
    newPath: z
      .string()
      .nullable()
      .describe(
        'Of a rename (`AUD0040A` of a file, `AUD0052A` of a folder): the path after it; `entityName` is the one before. Null otherwise, and if it was erased',
      )
      .meta({ example: null }),
  })
  .meta({ id: 'ActivityRecord' });

/** A record of activity, with its circumstances and the actor to whom it belongs. */
export type ActivityRecord = z.infer<typeof activityRecordSchema>;

const actorShape = {
  actor: plainNameSchema
    .optional()
    .describe('Only records of the file servers that belong to this actor')
    .meta({ example: 'acme' }),
};

const scope =
  'A role that is limited to actors gets the records of the file servers alone: those of the virtual file systems of these actors, ' +
  'and those without one of their users.';

/** Extension of the interface: the audit records of activity, without those of administration. */
export const listActivityEndpoint = defineEndpoint({
  id: 'listActivity',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/activity',
  summary: 'List audit records of activity',
  description: `The audit records of logins to the file servers, transfers, changes of files and jobs, as the list of all records has them, and their circumstances. ${scope}`,
  authentication: { kind: 'bearer', permission: 'activity:read', ofActor: true },
  query: listAuditRecordsEndpoint.query.extend(actorShape),
  responses: {
    200: {
      ...listAuditRecordsEndpoint.responses[200],
      body: { kind: 'json', schema: z.array(activityRecordSchema) },
    },
  },
  errors: ['too_many_requests'],
});

/** Extension of the interface: numbers of records of activity over time, for charts. */
export const countActivityEndpoint = defineEndpoint({
  id: 'countActivity',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/activity/counts',
  summary: 'Count audit records of activity over time',
  description: `Counts the records that the list of activity has, as the counts of all records do. ${scope}`,
  authentication: { kind: 'bearer', permission: 'activity:read', ofActor: true },
  query: countAuditRecordsEndpoint.query.extend(actorShape),
  responses: countAuditRecordsEndpoint.responses,
  errors: ['too_many_requests'],
});
