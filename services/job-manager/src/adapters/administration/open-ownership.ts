import type { ConfigurationDrift } from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { adoptEntities, type OwnerChange, releaseEntities } from '@waybill/directory/administration/change-owner';
import { type DriftedEntity, readDrift } from '@waybill/directory/read-drift';
import type { Database } from '@waybill/postgres/database';
import type { OwnerRequest, Ownership } from '../../domain/administration/ownership.ts';
import { presentDifferences } from './present-changes.ts';
import type { WrittenAt } from './written-files.ts';

/** Changes owners with the rights of the operator. */
export function createOwnership(db: Database, at: WrittenAt): Ownership {
  const changeOf = ({ by, ...request }: OwnerRequest): OwnerChange => ({
    ...request,
    db,
    by: { user: by.userName, ...at },
  });
  return {
    adopt: async (request) => await adoptEntities(changeOf(request)),
    release: async (request) => await releaseEntities(changeOf(request)),
    drift: async (source) => {
      const drift = await readDrift(db, source);
      const sources = drift.map((one) => ({
        source: one.source,
        file: one.file === '' ? null : one.file,
        objects: one.entities.map(presentDrifted),
      }));
      return { sources };
    },
  };
}

function presentDrifted(entity: DriftedEntity): ConfigurationDrift['sources'][number]['objects'][number] {
  const { cause, entityType, name, actor, owner, differences, reason, changedBy, changedAt } = entity;
  return {
    cause,
    entityType,
    name,
    ...(actor !== undefined && { actor }),
    ...(owner !== undefined && { owner }),
    differences: presentDifferences(differences),
    reason,
    changedBy,
    changedAt: changedAt.toISOString(),
  };
}
