import type { Writable } from 'node:stream';
import type { downloadFileEndpoint } from '@waybill/contracts/endpoints/files/downloads/download-file';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import { fileTargetOf } from '../../domain/access/file-target.ts';
import { judge } from '../../domain/access/preconditions.ts';
import type { FetchFile } from '../../domain/downloads/fetch-file.ts';
import type { NoteSentRange } from '../../domain/downloads/note-sent-range.ts';
import { dataflowHeader } from '../file-result.ts';
import { preconditionsOf } from '../preconditions-of.ts';
import { contentDisposition } from './content-disposition.ts';
import { requestedRange } from './requested-range.ts';

/** D4. A download is recorded when every byte of the file has been handed over. */
export function createDownloadFileHandler(ports: {
  fetchFile: FetchFile;
  noteSentRange: NoteSentRange;
  events: { bytesSent(count: number): void };
}): SessionHandler<typeof downloadFileEndpoint, TransferringCaller> {
  const { fetchFile, noteSentRange, events } = ports;
  return async ({ params, principal: caller, headers, method }) => {
    const download = await fetchFile(caller, fileTargetOf(params.path));
    try {
      const { entry } = download;
      const etag = `"${entry.sha256}"`;
      const described = describe(entry, etag);
      const verdict = judge(preconditionsOf(headers, 'read'), entry);
      if (verdict === 'failed') throw new CodedError('precondition_failed');
      if (verdict === 'unchanged') {
        await download[Symbol.asyncDispose]();
        return { status: 304, headers: described };
      }
      // A range only applies to GET (RFC 9110 section 14.2).
      const range = method === 'HEAD' ? undefined : requestedRange(headers, { size: entry.size, etag });
      const part = range ?? { start: 0, end: entry.size };
      const bytes = part.end - part.start;
      let given = 0;
      const note = (count: number): void => void (given += count);
      const answer = {
        body: { writeTo: (destination: Writable) => download.writeTo(destination, { ...part, note }) },
        headers: { ...described, 'Content-Length': String(bytes), ...rangeHeader(range, entry.size) },
        afterSend: async (failure?: unknown) => {
          await using sent = download;
          if (method === 'HEAD') return;
          if (failure === undefined) events.bytesSent(bytes);
          const cutAfter = failure === undefined ? undefined : given;
          await noteSentRange(sent, { user: caller.user, part, cutAfter });
        },
      };
      return { ...answer, status: range === undefined ? 200 : 206 };
    } catch (error) {
      await download[Symbol.asyncDispose]();
      throw error;
    }
  };
}

function describe(entry: FileEntry, etag: string): Record<string, string> {
  return {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': contentDisposition(entry.name),
    'Content-Type': entry.mediaType,
    ETag: etag,
    // Clients set it over SFTP, and their clocks may be ahead; here it is never in the future (RFC 9110 section
    // 8.8.2.1).
    'Last-Modified': new Date(Math.min(entry.modifiedAt.getTime(), Date.now())).toUTCString(),
    ...dataflowHeader(entry.dfic),
  };
}

function rangeHeader(range: { start: number; end: number } | undefined, size: number): Record<string, string> {
  return range === undefined ? {} : { 'Content-Range': `bytes ${range.start}-${range.end - 1}/${size}` };
}
