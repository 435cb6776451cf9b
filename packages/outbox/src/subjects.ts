import type { FileEvent } from '@waybill/contracts/messages/file-event';

/** As a subject of a listener it stands for every subject. */
export const everySubject = '*';

/** The subject of file events of one kind in one folder, for `listenTo`. */
export function fileEventSubject(about: Pick<FileEvent, 'kind' | 'vfsId'> & { folder: string }): string {
  return JSON.stringify([about.kind, about.vfsId, about.folder]);
}
