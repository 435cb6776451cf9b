import type { downloadArchiveEndpoint } from '@waybill/contracts/endpoints/files/downloads/download-archive';
import { nameOf, parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import type { PlanArchive } from '../../domain/downloads/plan-archive.ts';
import type { ReadArchive } from '../../domain/downloads/read-archive.ts';
import { contentDisposition } from './content-disposition.ts';
import { zipStream } from './zip-stream.ts';

/** Reading a folder as an archive. */
export function createDownloadArchiveHandler(ports: {
  planArchive: PlanArchive;
  readArchive: ReadArchive;
  events: { bytesSent(count: number): void };
}): SessionHandler<typeof downloadArchiveEndpoint, TransferringCaller> {
  const { planArchive, readArchive, events } = ports;
  return async ({ params, query, principal: caller, method }) => {
    const folder = parseVirtualPath(params.path);
    const parts = await planArchive(caller.mounts, folder, query.name);
    const { content, complete } = zipStream(readArchive(caller, method === 'HEAD' ? [] : parts));
    return {
      status: 200,
      body: content,
      headers: { 'Content-Disposition': contentDisposition(`${nameOf(folder) || 'files'}.zip`) },
      afterSend: async (failure?: unknown) => {
        if (failure === undefined) events.bytesSent(await complete());
      },
    };
  };
}
