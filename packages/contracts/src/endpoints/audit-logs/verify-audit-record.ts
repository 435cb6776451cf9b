import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** The kinds of findings of a verification; `docs/audit.md` explains them. */
export const auditFindingKindSchema = z.enum([
  'record_altered',
  'link_broken',
  'records_missing',
  'sequence_repeated',
  'tail_missing',
  'tail_unknown',
  'head_missing',
  'head_altered',
  'head_key_unknown',
  'digest_altered',
  'digest_key_unknown',
  'digests_missing',
  'digest_mismatch',
]);

const count = z.int().nonnegative();

/** The outcome of a verification. */
export const auditVerificationSchema = z
  .object({
    intact: z.boolean().describe('True if there are no findings').meta({ example: true }),
    verifiedAt: z.iso.datetime().describe('When it began').meta({ example: '2026-03-14T09:26:53.589Z' }),
    records: count.describe('Records read').meta({ example: 120_345 }),
    digests: count.describe('Digests read').meta({ example: 97 }),
    lastSequence: count.describe('Sequence number of the last record; 0 without records').meta({ example: 120_345 }),
    lastHash: z
      .string()
      .describe('Hash of the last record, in hexadecimal')
      .meta({ example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' }),
    findings: z
      .array(
        z.object({
          kind: auditFindingKindSchema.describe('What is wrong').meta({ example: 'record_altered' }),
          sequence: count.describe('Affected record or digest').meta({ example: 42 }),
          message: z.string().describe('Description for people').meta({ example: 'Record 42 is not what was hashed' }),
        }),
      )
      .describe('The first 100 findings'),
    findingCount: count.describe('Total number of findings').meta({ example: 0 }),
  })
  .meta({ id: 'AuditVerification' });

/** The outcome of a verification. */
export type AuditVerification = z.infer<typeof auditVerificationSchema>;

/** One finding. */
export type AuditFinding = AuditVerification['findings'][number];

/** Extension of the interface: checks the whole audit log, its hash chain and its signed digests. */
export const verifyAuditRecordEndpoint = defineEndpoint({
  id: 'verifyAuditRecord',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/verification',
  summary: 'Verify the integrity of the audit log',
  description: 'Reads every record once. One verification runs at a time; concurrent requests get its result.',
  authentication: { kind: 'bearer', resource: 'AUDITLOGSVIEW', access: 'read' },
  responses: {
    200: { description: 'The outcome', body: { kind: 'json', schema: auditVerificationSchema } },
  },
  errors: [],
});
