import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** The kinds of findings of a verification; `docs/audit.md` explains them. */
export const auditFindingKindSchema = z.enum([
  'record_altered',
  'link_broken',
  'records_missing',
  'sequence_repeated',
  'clock_set_back',
  'records_mismatch',
  'tail_missing',
  'tail_unknown',
  'checkpoint_missing',
  'checkpoint_altered',
  'checkpoint_key_unknown',
  'checkpoint_key_retired',
  'log_set_back',
  'log_replaced',
  'log_forked',
  'redaction_unrecorded',
  'producer_gap',
  'producer_reversed',
  'anchor_contradicted',
]);

const count = z.int().nonnegative();

/** The outcome of a verification. */
export const auditVerificationSchema = z
  .object({
    intact: z.boolean().describe('True if there are no findings').meta({ example: true }),
    verifiedAt: z.iso.datetime().describe('When it began').meta({ example: '2026-03-14T09:26:53.589Z' }),
    records: count.describe('Records read').meta({ example: 120_345 }),
    lastSequence: count.describe('Sequence number of the last record; 0 without records').meta({ example: 120_345 }),
    redactedRecords: count.describe('Records of which personal values were erased').meta({ example: 0 }),
    archivedRecords: count.describe('Records that were moved to archives, and are not read').meta({ example: 0 }),
    checkpoint: z
      .string()
      .describe('The checkpoint of the audit log, a signed note; empty if there is none')
      .meta({ example: 'waybill/manager1/3f2a...\n120345\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— ...' }),
    findings: z
      .array(
        z.object({
          kind: auditFindingKindSchema.describe('What is wrong').meta({ example: 'record_altered' }),
          sequence: count.describe('Affected record').meta({ example: 42 }),
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

/** Extension of the interface: checks the whole audit log, its tree and its signed checkpoint. */
export const verifyAuditRecordEndpoint = defineEndpoint({
  id: 'verifyAuditRecord',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/verification',
  summary: 'Verify the integrity of the audit log',
  description: 'Reads every record once. One verification runs at a time; concurrent requests get its result.',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  responses: {
    200: { description: 'The outcome', body: { kind: 'json', schema: auditVerificationSchema } },
  },
  errors: [],
});
