import type { ObjectChange } from '@waybill/contracts/endpoints/administration/configuration-views';
import { isRecord, valueOf } from './records.ts';

/** The settings that differ between two versions of an object, by their paths. A list is one setting. */
export function differencesBetween(before: unknown, after: unknown, path = ''): ObjectChange['differences'] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (!isRecord(before) || !isRecord(after)) return [{ setting: path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    differencesBetween(valueOf(before, name), valueOf(after, name), path === '' ? name : `${path}.${name}`),
  );
}
