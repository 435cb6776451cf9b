import type { FileEvent } from '@waybill/contracts/messages/file-event';
import type { OutboxMessage } from '@waybill/outbox/message-rows';
import type { FileEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';

/** The message that notifies contracts of an event of a file. */
export function fileEventMessage(
  kind: FileEvent['kind'],
  file: Pick<FileEntry, 'vfsId' | 'path' | 'fileset' | 'size' | 'dfic'>,
  origin: Origin,
): OutboxMessage {
  return {
    topic: 'file-event',
    payload: {
      kind,
      occurredAt: new Date().toISOString(),
      vfsId: file.vfsId,
      path: file.path,
      fileset: file.fileset,
      size: String(file.size),
      byTransfer: origin.protocol !== undefined || origin.delivers === true,
      chainDepth: origin.job?.chainDepth ?? 0,
      userName: origin.userName,
      dfic: file.dfic,
    },
  };
}
