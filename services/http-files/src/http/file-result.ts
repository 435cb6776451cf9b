import type { FileResult } from '@waybill/contracts/endpoints/files/shapes/file-result';
import type { FileEntry } from '@waybill/filebox/model/entry';

/** The body that states what was done, and to which file. */
export function fileResult(message: string, file?: Pick<FileEntry, 'fileset'>): FileResult {
  return {
    result: 'ok',
    timestamp: new Date().toISOString(),
    message,
    ...(file !== undefined && { fileset: file.fileset }),
  };
}

/** The header with the dataflow of a file: the `dfiid` of audit records, jobs and log lines. */
export function dataflowHeader({ dfiid }: { readonly dfiid: string }): Record<string, string> {
  return { 'X-Dataflow-Id': dfiid };
}
