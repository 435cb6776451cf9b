import type { ClientConnection } from '@waybill/contracts/configuration/connections/client-connection';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Warning } from '../document/warning.ts';
import { objectionToEnd } from './objection-to-end.ts';

/** Warns of SSH keys of client connections that partners do not accept any more, or not much longer. */
export function findSshKeyWarnings({ clientConnections, actors }: PlatformConfiguration, now: Date): Warning[] {
  const within = (connections: readonly ClientConnection[], list: string): Warning[] =>
    connections.flatMap((connection, index) => {
      if (connection.type !== 'sftp' || connection.keyExpires === undefined) return [];
      const message = objectionToEnd(new Date(connection.keyExpires), now);
      return message === undefined ? [] : [{ place: `${list}[${index}].keyExpires`, message }];
    });
  return [
    ...within(clientConnections, 'clientConnections'),
    ...actors.flatMap((actor, a) => within(actor.clientConnections, `actors[${a}].clientConnections`)),
  ];
}
