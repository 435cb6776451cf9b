import { type ClientConnection, secretFieldsOf } from '@waybill/contracts/configuration/client-connection';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { secretNameIn } from '@waybill/contracts/configuration/secret-reference';
import type { Database } from '@waybill/postgres/database';
import { listSecrets } from '@waybill/secrets/manage-secrets';
import type { Warning } from '../configuration-file/warning.ts';

/** Warns of references to secrets that are not stored: steps that use such a connection fail. */
export async function findMissingSecrets(
  db: Database,
  { clientConnections, actors }: PlatformConfiguration,
): Promise<Warning[]> {
  const isStored = new Set((await listSecrets(db)).map(({ owner, name }) => `${owner}/${name}`));
  const missing = (connections: readonly ClientConnection[], owner: string, list: string): Warning[] =>
    connections.flatMap((connection, index) =>
      secretFieldsOf(connection).flatMap(({ field, reference }) => {
        const name = secretNameIn(reference);
        if (isStored.has(`${owner}/${name}`)) return [];
        const option = owner === '' ? '' : ` --actor ${owner}`;
        const message = `there is no secret ${name}: store it with \`waybill secret set ${name}${option}\``;
        return [{ place: `${list}[${index}].${field}`, message }];
      }),
    );
  return [
    ...missing(clientConnections, '', 'clientConnections'),
    ...actors.flatMap((actor, a) => missing(actor.clientConnections, actor.name, `actors[${a}].clientConnections`)),
  ];
}
