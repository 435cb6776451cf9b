import { allPermissions, type Permission } from '@waybill/contracts/values/permission';
import type { z } from 'zod';
import type { aclSchema } from './partner-objects.ts';

/** The grants of a virtual file system. */
export type Acl = z.infer<typeof aclSchema>;

/** What one user or one group may do on one path: a row of the table. */
export interface AclRow {
  /** Of this row, as long as it is edited. */
  readonly id: number;
  readonly path: string;
  readonly kind: 'user' | 'group';
  readonly name: string;
  readonly permissions: ReadonlySet<Permission>;
}

/** The rows of an access list. A path without grants, on which nobody may do anything, has a row without a name. */
export function rowsOf(acl: Acl): AclRow[] {
  return acl
    .flatMap(({ path, grants }) =>
      (grants.length === 0 ? [{ user: '', permissions: [] }] : grants).map(({ permissions, ...grantee }) => ({
        path,
        ...ofGrant(grantee),
        permissions: new Set<Permission>(permissions),
      })),
    )
    .map((row, id) => ({ ...row, id }));
}

function ofGrant({
  user,
  group,
}: Pick<Acl[number]['grants'][number], 'user' | 'group'>): Pick<AclRow, 'kind' | 'name'> {
  return group === undefined ? { kind: 'user', name: user ?? '' } : { kind: 'group', name: group };
}

/** The access list of rows: paths in their order, each once. */
export function aclOf(rows: readonly AclRow[]): Acl {
  const paths = new Map<string, AclRow[]>();
  for (const row of rows) paths.set(row.path, [...(paths.get(row.path) ?? []), row]);
  return [...paths].map(([path, some]) => ({
    path,
    grants: some
      .filter(({ name }) => name !== '')
      .map(({ kind, name, permissions }) => ({
        [kind]: name,
        permissions: allPermissions.filter((permission) => permissions.has(permission)),
      })),
  }));
}
