import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import { type Definition, isNamedInActor } from './entity-target.ts';
import type { StoredEntity } from './stored-entities.ts';

/** Why an entity is not as its source has applied it. */
export type DivergenceCause = 'forced' | 'released' | 'adopted';

/** An entity that is not as its source has applied it last. */
export interface Divergence {
  readonly source: string;
  readonly entityType: EntityType;
  readonly name: string;
  /** Set if it is part of the name. */
  readonly actor: string | undefined;
  readonly cause: DivergenceCause;
  /** What the source has applied; `null` if its document does not have the entity. */
  readonly definition: Definition | null;
  readonly reason: string;
  readonly changedBy: string;
  readonly changedAt: Date;
}

/**
 * Remembers that an entity differs from what a source has applied, until the source applies the next time. What it has
 * applied is kept over several changes.
 */
export async function recordDivergence(
  on: Queryable,
  { entityType, name, definition }: Pick<StoredEntity, 'entityType' | 'name' | 'definition'>,
  why: Pick<Divergence, 'source' | 'cause' | 'reason' | 'changedBy'>,
): Promise<void> {
  const scope = definition['actor'];
  const actor = isNamedInActor(entityType) && typeof scope === 'string' ? scope : '';
  if (why.cause === 'released') {
    // What was adopted only is not in the document: given back, it is as the source has applied it.
    const undone = await queryRows(
      on,
      `DELETE FROM directory.divergences WHERE source = :source AND entity_type = :entityType AND name = :name
          AND actor = :actor AND definition IS NULL RETURNING source`,
      { source: why.source, entityType, name, actor },
    );
    if (undone.length > 0) return;
  }
  await queryRows(
    on,
    `INSERT INTO directory.divergences AS known (source, entity_type, name, actor, cause, definition, reason, changed_by)
     VALUES (:source, :entityType, :name, :actor, :cause, CAST(:definition AS jsonb), :reason, :changedBy)
     ON CONFLICT (source, entity_type, name, actor) DO UPDATE SET cause = excluded.cause, reason = excluded.reason,
       changed_by = excluded.changed_by, changed_at = now()`,
    {
      ...why,
      entityType,
      name,
      actor,
      definition: why.cause === 'adopted' ? null : JSON.stringify(definition),
    },
  );
}

/** What differs from what sources have applied: one, or all. By source, kind and name. */
export async function readDivergences(on: Queryable, source?: string): Promise<Divergence[]> {
  const rows = await queryRows<Omit<Divergence, 'actor'> & { readonly actor: string | null }>(
    on,
    `SELECT source, entity_type AS "entityType", name, NULLIF(actor, '') AS actor, cause, definition, reason,
       changed_by AS "changedBy", changed_at AS "changedAt" FROM directory.divergences
      WHERE CAST(:source AS text) IS NULL OR source = :source
      ORDER BY source COLLATE "C", entity_type COLLATE "C", name COLLATE "C", actor`,
    { source: source ?? null },
  );
  return rows.map(({ actor, ...divergence }) => ({ ...divergence, actor: actor ?? undefined }));
}
