import { userNameSchema } from '@waybill/contracts/values/user-name';
import { z } from 'zod';
import type { ServerSession } from '../domain/sessions/server-session.ts';
import type { SessionActivity } from '../domain/sessions/session-activity.ts';
import type { SessionChange } from '../domain/sessions/session-feed.ts';

const addressShape = { clusterName: z.string(), peerName: z.string(), serverName: z.string() };

/** A gateway process in the registry: several may serve one peer. */
export const processSchema = z.object({ ...addressShape, processId: z.string() });

/** A session in the registry. */
export const storedSessionSchema: z.ZodType<ServerSession> = z.object({
  sessionId: z.string(),
  userName: userNameSchema,
  clientIp: z.string(),
  clientPort: z.string(),
  clientVersion: z.string(),
  openedAt: z.number(),
});

/** The activity of a session, in the registry. */
export const storedActivitySchema: z.ZodType<SessionActivity> = z.object({
  file: z.string().nullable(),
  direction: z.enum(['upload', 'download']).nullable(),
  // Absent in those of older gateways.
  fileSince: z.number().optional(),
  fileBytes: z.number().optional(),
  bytesReceived: z.number(),
  bytesSent: z.number(),
  bytesPerSecond: z.number(),
});

/** A published message with changes. */
export const publishedChangesSchema: z.ZodType<SessionChange[]> = z.array(
  z.union([
    z.object({
      kind: z.enum(['opened', 'changed']),
      live: z.object({
        server: z.object(addressShape),
        session: storedSessionSchema,
        activity: storedActivitySchema,
      }),
    }),
    z.object({ kind: z.literal('ended'), sessionId: z.string() }),
  ]),
);
