import { z } from 'zod';

/** The client that causes an order, for the audit log. */
export const orderingClientSchema = z.object({
  address: z.string().optional(),
  port: z.int().optional(),
  client: z.string().optional(),
  /** The number of its API key. */
  apiKey: z.int().optional(),
});

/** A request to the gateways of a peer to end an SFTP session, over Redis. */
export const sessionTerminationSchema = z.object({
  requestId: z.string(),
  serverName: z.string(),
  sessionId: z.string(),
  order: z.object({
    /** Who ends it, for the audit log. */
    requestedBy: z.string(),
    requestedFrom: orderingClientSchema.optional(),
    /** For the client of the session. */
    reason: z.string(),
  }),
  /** The channel of the answer. */
  answerTo: z.string(),
});

/** A request to the gateways of a peer to end an SFTP session. */
export type SessionTermination = z.infer<typeof sessionTerminationSchema>;

/** The channel of the requests to a peer. Each part is encoded, so that none can change the structure of the name. */
export function terminationChannel(clusterName: string, peerName: string): string {
  return ['waybill', 'sftp', 'requests', clusterName, peerName].map(encodeURIComponent).join(':');
}

/**
 * The key in Redis of a session over HTTP, by its handle, which is a hash of its token. http-files keeps these sessions; a gateway
 * deletes the key of one that an operator ends, and every peer refuses the session from then on.
 */
export function httpSessionKey(handle: string): string {
  return `waybill:http-session:${handle}`;
}
