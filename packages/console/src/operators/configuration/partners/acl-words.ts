import { texts } from '../../texts/texts.ts';
import type { AclRow } from './acl-rows.ts';
import { grantedIn, placeOf } from './acl-settings.ts';

const { partners, permissionNames } = texts;

/** Whom a row is about. */
export function granteeOf({ kind, name }: Pick<AclRow, 'kind' | 'name'>): string {
  if (name === '') return partners.nobody;
  return kind === 'group' ? partners.group(name) : name;
}

/** What a key of settings stands for. */
export function nameOfKey(key: string): string {
  const place = placeOf(key);
  return `${place.path} · ${granteeOf(place)}`;
}

/** The permissions of a setting; undefined where there is none. */
export function wordsOf(granted: unknown): string | undefined {
  if (granted === undefined) return undefined;
  const names = grantedIn(granted).map((permission) => permissionNames[permission]);
  return names.join(', ') || partners.nothing;
}
