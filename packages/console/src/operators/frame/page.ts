import type { Permission } from '@waybill/contracts/roles/permissions';
import type { ComponentType } from 'react';
import type { Permissions } from '../api/permissions.ts';

/** What a page gets: the parts of its address. */
export interface PageProps {
  /** Of `/jobs/$id`: `{ id: '245' }`. */
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A page of the console. Its module is loaded when the page is opened. */
export interface ConsolePage {
  /** Below `/console`: `/jobs/$id`. */
  readonly path: string;
  /** Its name in the navigation; absent: other pages lead to it. */
  readonly label?: string;
  /** The path of the page of the navigation that it belongs to, if its own path does not begin with that. */
  readonly section?: string;
  /** Without one of these permissions it is not in the navigation; for some actors is enough. */
  readonly permissions: readonly Permission[];
  /** The same, of permissions without a limit to actors: the interface refuses limited ones. */
  readonly platformPermissions?: readonly Permission[];
  /** The component. */
  readonly load: () => Promise<ComponentType<PageProps>>;
}

/** Whether a page is for somebody with these permissions. */
export function isOffered(
  { permissions, platformPermissions = [] }: ConsolePage,
  { may, mayForAll }: Pick<Permissions, 'may' | 'mayForAll'>,
): boolean {
  return permissions.some(may) || platformPermissions.some(mayForAll);
}
