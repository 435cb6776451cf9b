import type {
  downloadArchiveEndpoint,
  downloadSelectionEndpoint,
} from '@waybill/contracts/endpoints/files/downloads/download-archive';
import { nameOf, parseVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { ArchivePart } from '@waybill/user-files/folders/plan-archive';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import type { PlanArchive } from '../../domain/downloads/plan-archive.ts';
import type { ReadArchive } from '../../domain/downloads/read-archive.ts';
import { contentDisposition } from './content-disposition.ts';
import { zipStream } from './zip-stream.ts';

interface ArchivePorts {
  readonly planArchive: PlanArchive;
  readonly readArchive: ReadArchive;
  readonly events: { bytesSent(count: number): void };
}

/** Reading a folder as an archive. */
export function createDownloadArchiveHandler(
  ports: ArchivePorts,
): SessionHandler<typeof downloadArchiveEndpoint, TransferringCaller> {
  return async ({ params, query, principal: caller, method }) => {
    const folder = parseVirtualPath(params.path);
    const parts = await ports.planArchive(caller.mounts, folder, query.name);
    return sendArchive(ports, caller, folder, method === 'HEAD' ? [] : parts);
  };
}

/** Reading a selection of a folder as an archive, or finding out whether it could be read. */
export function createDownloadSelectionHandler(
  ports: ArchivePorts,
): SessionHandler<typeof downloadSelectionEndpoint, TransferringCaller> {
  return async ({ params, body, principal: caller }) => {
    const folder = parseVirtualPath(params.path);
    const parts = await ports.planArchive(caller.mounts, folder, body.name);
    return body.check === undefined ? sendArchive(ports, caller, folder, parts) : { status: 204 as const };
  };
}

function sendArchive(
  { readArchive, events }: ArchivePorts,
  caller: TransferringCaller,
  folder: VirtualPath,
  parts: readonly ArchivePart[],
) {
  const { content, complete } = zipStream(readArchive(caller, parts));
  return {
    status: 200 as const,
    body: content,
    headers: { 'Content-Disposition': contentDisposition(`${nameOf(folder) || 'files'}.zip`) },
    afterSend: async (failure?: unknown) => {
      if (failure === undefined) events.bytesSent(await complete());
    },
  };
}
