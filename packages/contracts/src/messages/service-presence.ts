import { z } from 'zod';

const anchorSchema = z.object({
  name: z.string(),
  kind: z.enum(['file', 's3', 'http', 'witness']),
  /** Records in the last checkpoint that it has. */
  records: z.int().min(0),
  /** When the oldest checkpoint was signed that it does not have. */
  behindSince: z.iso.datetime().optional(),
  /** When the first attempt failed since the last success. */
  failingSince: z.iso.datetime().optional(),
  /** The log contradicts it: nothing is recorded. */
  contradicts: z.boolean(),
});

/** An anchor or witness of the audit log, as the audit service reports it. */
export type ReportedAnchor = z.infer<typeof anchorSchema>;

const auditSchema = z.object({
  /** The last checkpoint; `signedAt` is absent if another process has signed it, or this one before its start. */
  checkpoint: z.object({ records: z.int().min(0), signedAt: z.iso.datetime().optional() }),
  anchors: z.array(anchorSchema),
});

/** What an audit service reports of the log. */
export type ReportedAudit = z.infer<typeof auditSchema>;

/** What a process reports to end: the certificate of its listener, or an active signing key that is to be replaced. */
const reportedExpirySchema = z.object({
  kind: z.enum(['tls-certificate', 'signing-key', 'host-key']),
  name: z.string().min(1).max(100),
  /** Its fingerprint or key id. */
  detail: z.string().max(200),
  expiresAt: z.iso.datetime(),
});

/** What a process reports to end. */
export type ReportedExpiry = z.infer<typeof reportedExpirySchema>;

/** More than a process has. */
const reportedExpiriesAtMost = 16;

/** What this release does not know, such as a kind of a newer one, is left out: the rest of the report counts. */
const reportedExpiriesSchema = z.array(z.unknown()).transform((entries) =>
  entries
    .slice(0, reportedExpiriesAtMost)
    .map((entry) => reportedExpirySchema.safeParse(entry).data)
    .filter((entry) => entry !== undefined),
);

/** What a process of the platform reports of itself, over Redis. It has no addresses and no messages of errors. */
export const servicePresenceSchema = z.object({
  service: z.string().max(100),
  /** The peer or node. */
  node: z.string().max(253),
  /** What the process does, if a service has several kinds of them. */
  role: z.string().max(100).optional(),
  startedAt: z.iso.datetime(),
  /** By the clock of Redis, in milliseconds since 1970. */
  reportedAt: z.number(),
  /** Checks that have failed; empty if it is ready. */
  failing: z.array(z.string()),
  audit: auditSchema.optional(),
  expiring: reportedExpiriesSchema.optional(),
});

/** What a process of the platform reports of itself. */
export type ServicePresence = z.infer<typeof servicePresenceSchema>;

/** How often a process reports itself, in milliseconds. */
export const presenceIntervalMs = 5_000;
