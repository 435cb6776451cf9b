import type { FileEvent } from '@waybill/contracts/messages/file-event';

/** Listened to, it stands for every subject. */
export const everySubject = '*';

/** What file events of one kind in one folder are about, as `listenTo` takes it. */
export function fileEventSubject(about: Pick<FileEvent, 'kind' | 'vfsId'> & { folder: string }): string {
  return JSON.stringify([about.kind, about.vfsId, about.folder]);
}
