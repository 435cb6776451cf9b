import type { Trigger } from '../configuration/workflow-configuration.ts';
import type { FileEvent } from './file-event.ts';

/** The triggers that a transfer or a job fires by its operation on a file. */
export const fileEventTriggers = {
  stored: { transfer: ['NewFile', 'IncomingTransfer'], job: ['NewFile'] },
  metadataUpdated: { transfer: ['IncomingUpdateMetadata'], job: ['IncomingUpdateMetadata'] },
  downloaded: { transfer: ['OutgoingTransfer'], job: [] },
} as const satisfies Record<FileEvent['kind'], Record<'transfer' | 'job', readonly Trigger['type'][]>>;
