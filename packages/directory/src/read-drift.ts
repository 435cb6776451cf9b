import type { EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { Database } from '@waybill/postgres/database';
import type { Difference } from './differences/difference.ts';
import { shownDifferences } from './differences/recorded-difference.ts';
import { readSources, requireSource } from './sources/applied-source.ts';
import { type Divergence, readDivergences } from './sources/divergence.ts';
import { readEntity } from './sources/stored-entities.ts';

/** An entity that is not as its source has applied it, and how it is now. */
export interface DriftedEntity extends Divergence {
  /** Who owns it now; `undefined` if it does not exist any more. */
  readonly owner: EntityOwner | undefined;
  /** From what the source has applied to what is in force; nothing for what its document does not have. */
  readonly differences: readonly Difference[];
}

/** How far the state is from what a source has applied last. */
export interface SourceDrift {
  readonly source: string;
  readonly file: string;
  readonly entities: readonly DriftedEntity[];
}

/** Compares what sources have applied last with the state: one source, or all. Without possible secrets. @throws CodedError `entity_unknown` */
export async function readDrift(db: Database, source?: string): Promise<SourceDrift[]> {
  return await db.transaction(
    async (trx) => {
      if (source !== undefined) await requireSource(trx, source);
      const drifted: DriftedEntity[] = [];
      for (const divergence of await readDivergences(trx, source)) {
        const entity = await readEntity(trx, divergence);
        const [before, after] = [divergence.definition ?? entity?.definition, entity?.definition];
        const differences = shownDifferences({ before, after }, new Set());
        drifted.push({ ...divergence, owner: entity?.source, differences });
      }
      const sources = await readSources(trx, source);
      return sources.map(({ source: name, file }) => ({
        source: name,
        file,
        entities: drifted.filter((entity) => entity.source === name),
      }));
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}
