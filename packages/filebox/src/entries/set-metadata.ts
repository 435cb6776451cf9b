import { nameOf, parentOf, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import { auditMessage } from '../messages/audit-message.ts';
import { fileEventMessage } from '../messages/file-event-message.ts';
import type { CompanionWrite } from '../model/companion-write.ts';
import type { FileEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';
import { assertMetadataFits } from './assert-metadata-fits.ts';
import { fileOf, type FileRow } from './entry-row.ts';
import { missingFileError } from './find-entry.ts';
import { parseMetadata, systemMetadataPrefix } from './system-metadata.ts';
import type { TemporaryNames } from './temporary-names.ts';
import { transact } from './transact.ts';
import { writeCompanion } from './write-companion.ts';

/** What setting metadata needs. */
export interface MetadataParts {
  db: Database;
  managerName: string;
  /** A change of a file with a temporary name notifies no contract. */
  isTemporaryName: TemporaryNames;
}

/** Metadata for a file. */
export interface MetadataChange {
  vfsId: string;
  path: VirtualPath;
  values: Readonly<Record<string, string>>;
  origin: Origin;
  /** Whether contracts are notified; default: true. */
  announce?: boolean | undefined;
  /** Called with the locked file; an error that it throws leaves everything unchanged. */
  check?: ((file: FileEntry) => void) | undefined;
  /** Written in the transaction that changes the file. */
  companion?: CompanionWrite | undefined;
}

/** Adds metadata or replaces the values of existing keys. Throws as `Filebox.setMetadata` does. */
export async function setMetadata(
  { db, managerName, isTemporaryName }: MetadataParts,
  change: MetadataChange,
): Promise<FileEntry> {
  const { vfsId, path, values, origin, announce = true, check, companion } = change;
  const { metadata, systemMetadata, expiresAt } = parseMetadata(values);
  const changed = await transact(db, async (trx) => {
    const { rows } = await trx.raw<{ rows: (FileRow & { differs: boolean })[] }>(
      `WITH before AS (
         SELECT id, metadata, system_metadata, expires_at FROM filebox.entries
         WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND name = :name AND kind = 'file'
         FOR UPDATE
       )
       UPDATE filebox.entries e
       SET metadata = e.metadata || CAST(:metadata AS jsonb),
         system_metadata = e.system_metadata || CAST(:systemMetadata AS jsonb),
         expires_at = CASE WHEN :setsExpiry THEN CAST(:expiresAt AS timestamptz) ELSE e.expires_at END
       FROM before b WHERE e.id = b.id
       RETURNING e.*, (e.metadata, e.system_metadata, e.expires_at)
         IS DISTINCT FROM (b.metadata, b.system_metadata, b.expires_at) AS differs`,
      {
        vfsId,
        parents: segmentsOf(parentOf(path)),
        name: nameOf(path),
        metadata: JSON.stringify(metadata),
        systemMetadata: JSON.stringify(systemMetadata),
        setsExpiry: expiresAt !== undefined,
        expiresAt: expiresAt ?? null,
      },
    );
    const file = rows[0] && fileOf(rows[0], path);
    if (file) {
      check?.(file);
      assertMetadataFits(file.metadata, file.systemMetadata);
      await appendToOutbox(trx, [
        // Clients often set a mode that a file already has.
        ...(rows[0]?.differs
          ? [auditMessage({ fact: 'metadataChanged', entry: file, keys: tell(values), origin, managerName })]
          : []),
        ...(announce && !isTemporaryName(path) ? [fileEventMessage('metadataUpdated', file, origin)] : []),
      ]);
      await writeCompanion(trx, companion, file);
    }
    return file;
  });
  if (!changed) throw await missingFileError(db, vfsId, path);
  return changed;
}

/** The number of keys in the audit record: those of the system class, which have an effect, before the user's own. */
const keysTold = 20;

function tell(values: MetadataChange['values']): string {
  const [system, own] = [true, false].map((isSystem) =>
    Object.keys(values)
      .filter((key) => key.startsWith(systemMetadataPrefix) === isSystem)
      .toSorted(),
  );
  const keys = [...(system ?? []), ...(own ?? [])];
  const more = keys.length - keysTold;
  return `${keys.slice(0, keysTold).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
