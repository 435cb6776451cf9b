import { useQuery, useQueryClient } from '@tanstack/react-query';
import { readOwnPermissionsEndpoint } from '@waybill/contracts/endpoints/access/read-own-permissions';
import type { Permission } from '@waybill/contracts/roles/permissions';
import { useEffect } from 'react';
import { callEndpoint, forbiddenRequests } from './call-endpoint.ts';
import { unlessRefused } from './refusals.ts';

/** The user, and what the user may do. */
export interface Permissions {
  /** Undefined until it is known. */
  readonly userName: string | undefined;
  /** Whether the user may do this for some actor at least. False until it is known. */
  may(permission: Permission): boolean;
  /** Whether the user may do this whatever the actor. */
  mayForAll(permission: Permission): boolean;
  /** Why it could not be read last. */
  readonly failure: Error | null;
  /** The actors for which the user may do this; undefined if it is whatever the actor, or not at all. */
  actorsOf(permission: Permission): readonly string[] | undefined;
}

const queryKey = ['own permissions'];

const refreshEveryMs = 15_000;

/** After a refusal, they are read at once, but not again within this time. */
const calmMs = 2_000;

/** What the user may do. Pages offer nothing else. */
export function usePermissions(): Permissions {
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callEndpoint(readOwnPermissionsEndpoint, { signal }),
    refetchInterval: unlessRefused(refreshEveryMs),
    staleTime: refreshEveryMs,
  });
  const find = (permission: Permission) => data?.permissions.find(({ name }) => name === permission);
  return {
    userName: data?.userName,
    failure: error,
    may: (permission) => find(permission) !== undefined,
    mayForAll: (permission) => find(permission)?.actors === null,
    actorsOf: (permission) => find(permission)?.actors ?? undefined,
  };
}

/** Reads what the user may do again when a request was forbidden: somebody may have changed the user's roles. One component does this. */
export function usePermissionsAfterRefusals(): void {
  const client = useQueryClient();
  useEffect(() => {
    let readAtMs = -calmMs;
    return forbiddenRequests.subscribe(() => {
      const now = performance.now();
      if (now - readAtMs < calmMs) return;
      readAtMs = now;
      void client.invalidateQueries({ queryKey });
    });
  }, [client]);
}

/** What reads everything again after a login. A page that has served another user is loaded again instead. */
export function useFreshStart(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries();
}
