import { allPermissions, type Permission } from '@waybill/contracts/values/permission';
import { isRecord } from '../changes/records.ts';
import type { AclRow } from './acl-rows.ts';

/** The permissions of each user and group on each path, by a key of these: each permission is a setting that can be merged. */
export type AclSettings = Readonly<Record<string, Readonly<Partial<Record<Permission, true>>>>>;

/** The settings of rows. What two rows say of the same user and path counts together. */
export function settingsOfRows(rows: readonly AclRow[]): AclSettings {
  const settings: Record<string, Partial<Record<Permission, true>>> = {};
  for (const { path, kind, name, permissions } of rows) {
    const granted = (settings[JSON.stringify([path, kind, name])] ??= {});
    for (const permission of permissions) granted[permission] = true;
  }
  return settings;
}

/** The rows of settings. */
export function rowsOfSettings(settings: unknown): AclRow[] {
  return Object.entries(isRecord(settings) ? settings : {}).map(([key, granted], id) => ({
    id,
    ...placeOf(key),
    permissions: new Set(grantedIn(granted)),
  }));
}

/** The permissions of a setting, in their order. */
export function grantedIn(granted: unknown): Permission[] {
  return allPermissions.filter((permission) => isRecord(granted) && granted[permission] === true);
}

/** What a key stands for. */
export function placeOf(key: string): Pick<AclRow, 'path' | 'kind' | 'name'> {
  const [path = '', kind, name = ''] = (JSON.parse(key) as unknown[]).map(String);
  return { path, kind: kind === 'group' ? 'group' : 'user', name };
}
