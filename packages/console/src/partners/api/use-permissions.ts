import { useQueries, useQuery } from '@tanstack/react-query';
import type { Permission } from '@waybill/contracts/values/permission';
import { readPermissions } from './elements.ts';

/** What the user may do at a path; nothing as long as it is not known, so that nothing is offered in vain. */
export function usePermissions(path: string): ReadonlySet<Permission> {
  const { data } = useQuery(permissionsAt(path));
  return data ?? nothing;
}

/** What the user may do at each of some paths; undefined as long as it is not known of all. */
export function usePermissionsOfAll(paths: readonly string[]): ReadonlySet<Permission> | undefined {
  const results = useQueries({ queries: paths.map(permissionsAt) });
  const known = results.flatMap(({ data }) => data ?? []);
  if (known.length < paths.length) return undefined;
  return new Set([...(known[0] ?? nothing)].filter((permission) => known.every((one) => one.has(permission))));
}

function permissionsAt(path: string) {
  return {
    queryKey: ['permissions', path],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => readPermissions(path, signal),
    staleTime: 10_000,
    refetchInterval: 30_000,
  };
}

const nothing: ReadonlySet<Permission> = new Set();
