import type { liveSessionSchema } from '@waybill/contracts/endpoints/server-sessions/live-session';
import type { z } from 'zod';

/** An open session. */
export type LiveSession = z.infer<typeof liveSessionSchema>;
