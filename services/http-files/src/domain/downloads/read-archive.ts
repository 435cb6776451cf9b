import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Download } from '@waybill/filebox/model/download';
import type { ArchivePart } from '@waybill/user-files/folders/plan-archive';
import type { TransferringCaller } from '../access/caller.ts';
import { originOf, type ServerPlace } from '../access/origin-of.ts';

/** A part of an archive that is being read; to be disposed of when it has been. */
export type OpenedPart =
  | Extract<ArchivePart, { kind: 'folder' }>
  | { readonly kind: 'file'; readonly name: string; readonly download: Download };

/** Opens the parts of an archive one after the other. A file that vanished since the archive was planned is left out. */
export type ReadArchive = (caller: TransferringCaller, parts: readonly ArchivePart[]) => AsyncGenerator<OpenedPart>;

/** Reads archives out of a filebox. */
export function createReadArchive({
  filebox,
  server,
}: {
  filebox: Pick<Filebox, 'openDownload'>;
  server: ServerPlace;
}): ReadArchive {
  return async function* (caller, parts) {
    const files = parts.filter((part) => part.kind === 'file');
    const needs = files.map(({ location: { vfs, path } }) => ({
      vfsId: vfs.id,
      path,
      permission: 'download' as const,
    }));
    caller.hold.require(needs, caller.mounts);
    for (const part of parts) {
      if (part.kind === 'folder') {
        yield part;
        continue;
      }
      const { name, location } = part;
      const { vfs, path } = location;
      const origin = originOf(server, caller, location);
      try {
        await using download = await filebox.openDownload(vfs.id, path, { origin });
        yield { kind: 'file', name, download };
      } catch (error) {
        if (!isCodedError(error, 'file_not_found', 'path_not_found', 'not_a_file')) throw error;
      }
    }
  };
}
