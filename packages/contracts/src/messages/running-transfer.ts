import { z } from 'zod';
import { orderingClientSchema } from './session-termination.ts';

const runningTransferSchema = z.object({
  id: z.string(),
  userName: z.string(),
  clientAddress: z.string(),
  /** The user's path; null for what has none. */
  path: z.string().nullable(),
  direction: z.enum(['upload', 'download']),
  bytes: z.number(),
  bytesPerSecond: z.number(),
  /** Milliseconds since 1970. */
  since: z.number(),
});

/** A transfer over HTTP that has run for some time. */
export type RunningTransfer = z.infer<typeof runningTransferSchema>;

/** The transfers of a process of http-files, in Redis. */
export const transferReportSchema = z.object({
  clusterName: z.string(),
  peerName: z.string(),
  serverName: z.string(),
  /** By the clock of Redis, in milliseconds since 1970: an old report is that of a process that has died. */
  reportedAt: z.number(),
  /** Transfers that are not in the list. */
  omitted: z.int().min(0),
  transfers: z.array(runningTransferSchema),
});

/** The transfers of a process of http-files, in Redis. */
export type TransferReport = z.infer<typeof transferReportSchema>;

/** A hash: the last report of each process that has such transfers. */
export const transferReportsKey = 'waybill:http-transfers';

/** A hash: the order to end a transfer, by its id. The process that has the transfer removes it, and ends the transfer. */
export const transferOrdersKey = 'waybill:http-transfers:orders';

/** An order to end a transfer. */
export const transferOrderSchema = z.object({
  /** Who ends it, for the audit log. */
  requestedBy: z.string(),
  requestedFrom: orderingClientSchema.optional(),
});

/** An order to end a transfer. */
export type TransferOrder = z.infer<typeof transferOrderSchema>;

/** How often processes report their transfers and take orders, in milliseconds. */
export const transferReportIntervalMs = 1_000;
