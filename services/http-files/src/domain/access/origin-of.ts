import type { Location } from '@waybill/directory/access/mounts';
import type { Origin } from '@waybill/filebox/model/origin';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import type { Caller } from './caller.ts';

/** This HTTP server within its cluster. */
export interface ServerPlace {
  readonly clusterName: string;
  readonly peerName: string;
  readonly serverName: string;
}

/** Who does something to a file, and from where, for records and events. */
export function originOf(server: ServerPlace, { user, userName, sessionId }: Caller, { vfs, mount }: Location): Origin {
  return {
    ...server,
    userName,
    actorName: user.actorName,
    protocol: 'HTTP',
    vfsName: vfs.name,
    connectionContract: mount.connectionContract,
    sessionId,
    client: currentClient(),
  };
}
