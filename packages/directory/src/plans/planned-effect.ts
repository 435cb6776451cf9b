import { createHash } from 'node:crypto';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { z } from 'zod';
import { canonicalJson } from '../administration/entity-version.ts';
import type { Change } from '../apply/change.ts';
import { nameKey } from '../sources/lists-of-kinds.ts';

/** What a plan does to one entity, in short: the same digest means the same change of the same settings. */
export const plannedEffectSchema = z.object({ title: z.string(), key: z.string(), digest: z.string() });

/** What a plan does to one entity, in short. */
export type PlannedEffect = z.infer<typeof plannedEffectSchema>;

/** The actor that the entity of a change belongs to, if any. */
export function actorOfChange({ definition, definitions }: Change): string | undefined {
  const actor = (definitions?.after ?? definition)?.['actor'];
  return typeof actor === 'string' ? actor : undefined;
}

/** The effect of a change. The id of what would be created is not final, so it is no part of it. */
export function effectOf(change: Change): PlannedEffect {
  const { entityType, entityName, entityId, fields, definition, definitions } = change;
  const id = change.change === 'created' ? null : entityId;
  const exact = canonicalJson([change.change, id, fields, definition ?? null, definitions ?? null]);
  return {
    title: `${entityType} ${entityName}`,
    key: nameKey(entityType, entityName, actorOfChange(change)),
    digest: createHash('sha256').update(exact).digest('base64url').slice(0, 22),
  };
}

/** The entities on which the plan would no longer have the effect that it showed. */
export function movedSince(planned: readonly PlannedEffect[], found: readonly PlannedEffect[]): FieldError[] {
  const expected = new Map(planned.map((effect) => [effect.key, effect]));
  const now = new Map(found.map((effect) => [effect.key, effect]));
  const gone = planned.filter(({ key }) => !now.has(key));
  const others = found.filter(({ key, digest }) => expected.get(key)?.digest !== digest);
  return [...gone, ...others].map(({ title }) => ({ field: title, message: 'was changed since the plan was made' }));
}
