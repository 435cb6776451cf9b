import { folders } from './capabilities/folders.ts';
import { resumption } from './capabilities/resumption.ts';
import { transfers } from './capabilities/transfers.ts';
import type { Capability } from './capability.ts';

/** What every client is tried for, in the order of the table's rows. */
export const capabilities: readonly Capability[] = [...transfers, ...resumption, ...folders];
