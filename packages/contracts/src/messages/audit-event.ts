import { z } from 'zod';
import { auditOperationSchema } from '../values/audit-operation.ts';

const personalFields: ReadonlySet<string> = new Set(['auditMessage', 'dataoneUser', 'entityId', 'entityName']);
const memberPattern = /^[a-z][A-Za-z]{0,39}$/u;

/**
 * The circumstances of an event; a member that does not apply is absent. The audit log commits to each member
 * separately, so that it can be redacted. Members of a newer release are recorded as well.
 */
export const auditContextSchema = z
  .object({
    address: z.string().optional().describe('Address of the client'),
    port: z.int().optional().describe('Port of the client'),
    virtualFileSystem: z.string().optional().describe('Virtual file system of the paths'),
    client: z.string().optional().describe('Software of the client, with its version'),
    authentication: z.string().optional().describe('Method of the login'),
    keyFingerprint: z.string().optional().describe('Fingerprint of the key of the login'),
    session: z.string().optional().describe('Id of the session'),
    apiKey: z.int().optional().describe('Number of the API key that was used'),
    reason: z.string().optional().describe('Reason that was given for the operation, or for its refusal'),
    outcome: z.string().optional().describe('`success`, or the code of the error'),
    fileSize: z.int().optional().describe('Size of the content that was uploaded or downloaded, in bytes'),
    fileHash: z.string().optional().describe('SHA-256 of that content: 64 lower-case hexadecimal digits'),
    difference: z.string().optional().describe('What was changed, without secrets: JSON with `before` and `after`'),
  })
  .catchall(z.union([z.string(), z.int()]).optional())
  .refine(
    (context) => Object.keys(context).every((name) => memberPattern.test(name) && !personalFields.has(name)),
    'has names of letters only, none of which is a field of the record',
  );

/** Where in the sequence of its producer an event is. */
export const auditProducerSchema = z.object({
  id: z.string().min(1).max(200).describe('One run of one process: `<service>/<node>/<random>`'),
  number: z.int().min(1).describe('1, 2, 3, ... in the order of the events of the producer'),
  settled: z
    .int()
    .min(0)
    .describe('The highest number such that the transactions of it and of all lower numbers were committed or voided'),
  voided: z
    .array(z.int().min(1))
    .max(10_000)
    .optional()
    .describe('Numbers whose transaction was rolled back since the last event that names such numbers'),
});

/** An event for the audit log: an audit record without the fields that the log adds. */
export const auditEventSchema = z.object({
  auditTime: z.iso.datetime(),
  clusterId: z.enum(['ENGINE', 'MANAGER']).describe('Which kind of cluster produced it'),
  nodeId: z.string().describe('The peer or manager node'),
  module: z.string().describe('`<manager name> AUDIT`'),
  auditCode: z.string().regex(/^AUD\d{4}A$/u),
  auditOperation: auditOperationSchema,
  dataoneUser: z.string(),
  entityType: z.string(),
  entityName: z.string(),
  entityId: z.string(),
  auditMessage: z.string(),
  dfiid: z.string().nullable(),
  context: auditContextSchema.optional(),
  producer: auditProducerSchema.optional(),
});

/** An event for the audit log. */
export type AuditEvent = z.infer<typeof auditEventSchema>;

/** The circumstances of an event. */
export type AuditContext = z.infer<typeof auditContextSchema>;

/** Where in the sequence of its producer an event is. */
export type AuditProducer = z.infer<typeof auditProducerSchema>;
