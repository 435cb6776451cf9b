import {
  localStorageClass,
  storageClassSchema,
  type StorageClass,
} from '@waybill/contracts/configuration/storage-class';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from './query-rows.ts';

/** All storage classes, including removed ones, by name. */
export async function findStorageClasses(on: Queryable): Promise<StorageClass[]> {
  const rows = await queryRows<{ definition: unknown }>(
    on,
    'SELECT definition FROM directory.storage_classes ORDER BY name',
  );
  return rows.map(({ definition }) => storageClassSchema.parse(definition));
}

/**
 * Name of the class that new files of a VFS go to. Ids are decimal: for any other text, or an unknown id, the class is
 * `local`.
 */
export async function findStorageClassOf(on: Queryable, vfsId: string): Promise<string> {
  if (!/^\d{1,18}$/u.test(vfsId)) return localStorageClass;
  const rows = await queryRows<{ name: string }>(
    on,
    'SELECT storage_class AS name FROM directory.virtual_file_systems WHERE id = :vfsId',
    { vfsId },
  );
  return rows[0]?.name ?? localStorageClass;
}
