import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readOwnPermissionsEndpoint } from '@waybill/contracts/endpoints/access/read-own-permissions';
import type { Permission } from '@waybill/contracts/roles/permissions';
import { callEndpoint } from './call-endpoint.ts';

/** The user, and what the user may do. */
export interface Permissions {
  /** Undefined until it is known. */
  readonly userName: string | undefined;
  /** Whether the user may do this for some actor at least. False until it is known. */
  may(permission: Permission): boolean;
  /** Whether the user may do this whatever the actor. */
  mayForAll(permission: Permission): boolean;
  /** The actors for which the user may do this; undefined if it is whatever the actor, or not at all. */
  actorsOf(permission: Permission): readonly string[] | undefined;
}

const queryKey = ['own permissions'];

const refreshEveryMs = 60_000;

/** What the user may do. Pages offer nothing else. */
export function usePermissions(): Permissions {
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callEndpoint(readOwnPermissionsEndpoint, { signal }),
    refetchInterval: refreshEveryMs,
    staleTime: refreshEveryMs,
  });
  const find = (permission: Permission) => data?.permissions.find(({ name }) => name === permission);
  return {
    userName: data?.userName,
    may: (permission) => find(permission) !== undefined,
    mayForAll: (permission) => find(permission)?.actors === null,
    actorsOf: (permission) => find(permission)?.actors ?? undefined,
  };
}

/** What reads everything again after a login. A page that has served another user is loaded again instead. */
export function useFreshStart(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries();
}
