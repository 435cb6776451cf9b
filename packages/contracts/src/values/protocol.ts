import { z } from 'zod';

/** The protocols that a server of an engine cluster speaks. */
export const protocolSchema = z.enum(['SFTP', 'HTTP']);

/** A protocol that a server of an engine cluster speaks. */
export type Protocol = z.infer<typeof protocolSchema>;
