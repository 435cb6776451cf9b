import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { WriteConditions } from '@waybill/directory/administration/write-entity';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { z } from 'zod';
import type { Administration, Administrator, ConfiguredObject } from '../../domain/administration/administration.ts';
import { mergePatch } from '../../domain/administration/merge-patch.ts';

/** The body of a request that writes an object: its name and its actor may be part of the address. */
export const objectBodySchema = z.looseObject({ name: z.string().optional(), actor: z.string().optional() });

/**
 * Changes an object by a JSON merge patch.
 * @throws CodedError `validation_failed` if it changes the name or removes the password; and what writing it throws
 */
export async function patchObject(
  administration: Administration,
  target: EntityTarget,
  change: { readonly patch: unknown; readonly conditions: WriteConditions; readonly by: Administrator },
): Promise<ConfiguredObject> {
  const { conditions, by } = change;
  const stored = await administration.find(target, by);
  const { name = target.name, actor = actorOf(stored), ...patch } = objectBodySchema.parse(change.patch);
  if (name !== target.name) throw wrongField('name', 'cannot be changed');
  // Passwords are no settings that are stored: removing one would silently change nothing.
  if (patch['password'] === null) throw wrongField('password', 'cannot be removed, only replaced');
  const { object } = await administration.put(
    { ...target, actor },
    {
      settings: (current = {}) => {
        const { actor: _actor, ...settings } = current;
        return mergePatch(settings, patch);
      },
      ...conditions,
      // It may have been deleted since it was found.
      ifMatch: conditions.ifMatch ?? ['*'],
      by,
    },
  );
  return object;
}

/** The refusal of one member of a body. */
export function wrongField(field: string, message: string): CodedError {
  return new CodedError('validation_failed', { detail: `${field}: ${message}`, fields: [{ field, message }] });
}

function actorOf({ definition }: ConfiguredObject): string | undefined {
  const actor = definition['actor'];
  return typeof actor === 'string' ? actor : undefined;
}
