import { useQuery } from '@tanstack/react-query';
import { type Protocol, protocolSchema } from '@waybill/contracts/values/protocol';
import { z } from 'zod';
import { usePermissions } from '../../api/permissions.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { useConfigurationRefresh } from '../../live/live-configuration.ts';
import { findCollection, mayOn } from '../stored/collection.ts';
import { listObjects } from '../stored/objects.ts';

/** A server of a cluster. */
export interface Server {
  readonly cluster: string;
  readonly server: string;
  readonly protocol: Protocol;
}

const clusterSchema = z.looseObject({
  name: z.string(),
  servers: z.array(z.looseObject({ name: z.string(), protocol: protocolSchema })),
});

/** The servers of all clusters; undefined until they are known, and for users who may not read them. */
export function useServers(): readonly Server[] | undefined {
  const resource = findCollection('clusters');
  const permissions = usePermissions();
  const { data } = useQuery({
    queryKey: ['configuration', 'clusters', 'servers'],
    queryFn: async ({ signal }) => {
      if (resource === undefined) return [];
      const { rows } = await listObjects(resource, {}, { cursor: undefined, signal });
      return z
        .array(clusterSchema)
        .parse(rows)
        .flatMap(({ name: cluster, servers }) =>
          servers.map(({ name: server, protocol }) => ({ cluster, server, protocol })),
        );
    },
    enabled: resource !== undefined && mayOn(permissions, resource, 'read'),
    refetchInterval: unlessRefused(useConfigurationRefresh()),
  });
  return data;
}
