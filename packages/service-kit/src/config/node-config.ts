import { hostname } from 'node:os';
import { z } from 'zod';

/** The settings of a manager node. */
export const nodeConfigShape = {
  NODE_NAME: z.string().min(1).default(hostname()).describe('Name of this manager node; the host name when not set'),
};
