import { useQuery } from '@tanstack/react-query';
import type { Permission } from '@waybill/contracts/values/permission';
import { readPermissions } from './elements.ts';

/** What the user may do at a path; nothing as long as it is not known, so that nothing is offered in vain. */
export function usePermissions(path: string): ReadonlySet<Permission> {
  const { data } = useQuery({
    queryKey: ['permissions', path],
    queryFn: ({ signal }) => readPermissions(path, signal),
    staleTime: 10_000,
    refetchInterval: 30_000,
  });
  return data ?? nothing;
}

const nothing: ReadonlySet<Permission> = new Set();
