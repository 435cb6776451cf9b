import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { readOwnPermissionsEndpoint } from '@waybill/contracts/endpoints/access/read-own-permissions';
import type { Permission } from '@waybill/contracts/roles/permissions';
import { useEffect, useRef } from 'react';
import { callEndpoint, forbiddenRequests } from './call-endpoint.ts';
import { isRefused, unlessRefused } from './refusals.ts';

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

const ownPermissions = {
  queryKey: ['own permissions'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => callEndpoint(readOwnPermissionsEndpoint, { signal }),
  staleTime: 15_000,
};

/** After a refusal, they are read at once, but not again within this time. */
const calmMs = 2_000;

/** What the user may do. Pages offer nothing else. */
export function usePermissions(): Permissions {
  const { data, error } = useQuery(ownPermissions);
  const find = (permission: Permission) => data?.permissions.find(({ name }) => name === permission);
  return {
    userName: data?.userName,
    failure: error,
    may: (permission) => find(permission) !== undefined,
    mayForAll: (permission) => find(permission)?.actors === null,
    actorsOf: (permission) => find(permission)?.actors ?? undefined,
  };
}

/**
 * Keeps up to date what the user may do: reads it every so many milliseconds, and when a request was forbidden. After a change, the
 * page shows nothing that it could not read now. One component does this.
 */
export function useCurrentPermissions(everyMs: number): void {
  const client = useQueryClient();
  const { data } = useQuery({ ...ownPermissions, refetchInterval: unlessRefused(everyMs) });
  const known = useRef(data);
  useEffect(() => {
    if (data === undefined || data === known.current) return;
    if (known.current !== undefined) void readAgain(client);
    known.current = data;
  }, [client, data]);
  useEffect(() => {
    let readAtMs = -calmMs;
    return forbiddenRequests.subscribe(() => {
      const now = performance.now();
      if (now - readAtMs < calmMs) return;
      readAtMs = now;
      void client.invalidateQueries({ queryKey: ownPermissions.queryKey });
    });
  }, [client]);
}

async function readAgain(client: QueryClient): Promise<void> {
  client.removeQueries({ type: 'inactive' });
  await client.invalidateQueries({ predicate: ({ queryKey: [word] }) => word !== ownPermissions.queryKey[0] });
  await client.resetQueries({ predicate: ({ state: { data, error } }) => data !== undefined && isRefused(error) });
}

/** What reads everything again after a login. A page that has served another user is loaded again instead. */
export function useFreshStart(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries();
}
