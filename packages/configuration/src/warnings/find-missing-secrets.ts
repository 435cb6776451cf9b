import { secretFieldsOf } from '@waybill/contracts/configuration/connections/client-connection';
import { secretFieldsOfKey } from '@waybill/contracts/configuration/pgp-key';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { secretNameIn } from '@waybill/contracts/configuration/secret-reference';
import type { Database } from '@waybill/postgres/database';
import { listSecrets } from '@waybill/secrets/manage-secrets';
import type { Warning } from '../document/warning.ts';

/** The secrets that one entity refers to. */
type Referring = readonly { readonly field: string; readonly reference: string }[];

/** Warns of references to secrets that are not stored: steps that use such a connection fail. */
export async function findMissingSecrets(
  db: Database,
  { clientConnections, pgpKeys, actors }: PlatformConfiguration,
): Promise<Warning[]> {
  const isStored = new Set((await listSecrets(db)).map(({ owner, name }) => `${owner}/${name}`));
  const missing = (referring: readonly Referring[], owner: string, list: string): Warning[] =>
    referring.flatMap((references, index) =>
      references.flatMap(({ field, reference }) => {
        const name = secretNameIn(reference);
        if (isStored.has(`${owner}/${name}`)) return [];
        const option = owner === '' ? '' : ` --actor ${owner}`;
        const message = `there is no secret ${name}: store it with \`waybill secret set ${name}${option}\``;
        return [{ place: `${list}[${index}].${field}`, message }];
      }),
    );
  return [
    ...missing(clientConnections.map(secretFieldsOf), '', 'clientConnections'),
    ...missing(pgpKeys.map(secretFieldsOfKey), '', 'pgpKeys'),
    ...actors.flatMap((actor, a) => [
      ...missing(actor.clientConnections.map(secretFieldsOf), actor.name, `actors[${a}].clientConnections`),
      ...missing(actor.pgpKeys.map(secretFieldsOfKey), actor.name, `actors[${a}].pgpKeys`),
    ]),
  ];
}
