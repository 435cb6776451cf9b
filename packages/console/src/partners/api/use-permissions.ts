import { useQueries, useQuery } from '@tanstack/react-query';
import type { Permission } from '@waybill/contracts/values/permission';
import { readPermissions } from './elements.ts';
import { soonAfterFailure } from './read-again.ts';

/** What the user may do at a path; nothing as long as it is not known, so that nothing is offered in vain. */
export function usePermissions(path: string): ReadonlySet<Permission> {
  const { data } = useQuery(permissionsAt(path));
  return data ?? nothing;
}

/** The same, and whether it is known. */
export function useKnownPermissions(path: string) {
  return useQuery(permissionsAt(path));
}

/** More are not asked about at once: the platform decides about the others when something is done with them. */
const askedAtMost = 50;

/** What the user may do at each of some paths, as far as they are asked about; undefined as long as it is not known, and without paths. */
export function usePermissionsOfAll(paths: readonly string[]): ReadonlySet<Permission> | undefined {
  const asked = paths.slice(0, askedAtMost);
  const results = useQueries({ queries: asked.map(permissionsAt) });
  const known = results.flatMap(({ data }) => data ?? []);
  if (known.length === 0 || known.length < asked.length) return undefined;
  return new Set([...(known[0] ?? nothing)].filter((permission) => known.every((one) => one.has(permission))));
}

function permissionsAt(path: string) {
  return {
    queryKey: ['permissions', path],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => readPermissions(path, signal),
    staleTime: 10_000,
    refetchInterval: soonAfterFailure(30_000),
  };
}

const nothing: ReadonlySet<Permission> = new Set();
