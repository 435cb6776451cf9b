import { z } from 'zod';

/** How many sessions may be open at a time. */
export const sessionLimitSchema = z.int().min(1).max(100_000);
