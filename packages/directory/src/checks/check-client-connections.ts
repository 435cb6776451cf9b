import type { ClientConnection } from '@waybill/contracts/configuration/connections/client-connection';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { parsePublicKeyLine } from '../users/public-key-line.ts';

/** Host keys of client connections that are damaged: a server could never have them. */
export function checkClientConnections({ clientConnections, actors }: PlatformConfiguration): FieldError[] {
  return [
    ...checkHostKeys(clientConnections, 'clientConnections'),
    ...actors.flatMap((actor, index) => checkHostKeys(actor.clientConnections, `actors[${index}].clientConnections`)),
  ];
}

function checkHostKeys(connections: readonly ClientConnection[], list: string): FieldError[] {
  return connections.flatMap((connection, index) =>
    connection.type === 'sftp'
      ? connection.hostKeys.flatMap((key, k) => {
          if (key.startsWith('SHA256:') || parsePublicKeyLine(key) !== undefined) return [];
          return [{ field: `${list}[${index}].hostKeys[${k}]`, message: 'is damaged: copy the whole line again' }];
        })
      : [],
  );
}
