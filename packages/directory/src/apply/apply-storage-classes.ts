import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Change } from './change.ts';
import { type Applying, reconcileEntities } from './reconcile-entities.ts';

/**
 * Applies storage classes. A removed class is retired: its files can still be read. @throws CodedError
 * `configuration_invalid` if the location of a class, retired or not, would change
 */
export async function applyStorageClasses(
  applying: Applying,
  { storageClasses }: PlatformConfiguration,
): Promise<readonly Change[]> {
  const known = await applying.trx<{ name: string; definition: StorageClass }>('directory.storage_classes').select('*');
  const places = new Map(known.map(({ name, definition }) => [name, placeOf(definition)]));
  for (const [index, storageClass] of storageClasses.entries()) {
    const place = places.get(storageClass.name);
    if (place !== undefined && place !== placeOf(storageClass)) refuseMove(storageClass.name, place, index);
  }
  const { changes } = await reconcileEntities(
    applying,
    { entityType: 'Storage Class', table: 'storage_classes', retires: true },
    storageClasses.map((storageClass) => ({ name: storageClass.name, definition: storageClass })),
  );
  return changes;
}

/**
 * The location, which cannot change, because the files would stay behind. Endpoint, region and style of addresses can.
 */
function placeOf(storageClass: StorageClass): string {
  return storageClass.type === 'local'
    ? `folder ${storageClass.folder}`
    : `bucket ${storageClass.bucket}, prefix "${storageClass.prefix}"`;
}

function refuseMove(name: string, place: string, index: number): never {
  const message = `storage class ${name} is ${place}, where files may be stored: use another class for another place`;
  throw new CodedError('configuration_invalid', {
    detail: `The configuration cannot be applied: ${message}`,
    fields: [{ field: `storageClasses[${index}]`, message }],
  });
}
