import type { EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { Database } from '@waybill/postgres/database';
import { queryRows } from './queries/query-rows.ts';
import { readSources, requireSource } from './sources/applied-source.ts';
import { composeDocument } from './sources/compose-document.ts';
import { readEntitiesOf } from './sources/stored-entities.ts';

/** What an owner has, in the form of a configuration file. */
export interface ExportedSource {
  readonly source: EntityOwner;
  /** The name of the file that the source has applied last, if it is known. */
  readonly file: string | null;
  readonly document: Readonly<Record<string, unknown>>;
}

/** Exports what owners have, as it is stored at one moment: what one of them has, or what every source and the API have. @throws CodedError `entity_unknown` */
export async function exportSources(db: Database, owner?: EntityOwner): Promise<ExportedSource[]> {
  return await db.transaction(
    async (trx) => {
      if (typeof owner === 'string') await requireSource(trx, owner);
      const owners = owner === undefined ? [...(await ownersIn(trx)), null] : [owner];
      const users = await queryRows<{ name: string }>(
        trx,
        'SELECT name FROM directory.partner_users WHERE configured_password_hash IS NOT NULL',
      );
      const withPassword = new Set(users.map(({ name }) => name));
      const exported: ExportedSource[] = [];
      for (const source of owners) {
        const entities = await readEntitiesOf(trx, source);
        const document = composeDocument(entities, withPassword);
        if (source === null) {
          if (owner === null || entities.length > 0) exported.push({ source, file: null, document });
          continue;
        }
        const [applied] = await readSources(trx, source);
        const manager = applied && { manager: { name: applied.managerName } };
        exported.push({ source, file: applied?.file || null, document: { source, ...manager, ...document } });
      }
      return exported;
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

async function ownersIn(trx: Parameters<typeof readSources>[0]): Promise<string[]> {
  return (await readSources(trx)).map(({ source }) => source);
}
