import { withUnknownRemovals } from '@waybill/contracts/endpoints/unknown-removals';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { WriteConditions } from '@waybill/directory/administration/write-in-transaction';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { z } from 'zod';
import type { ObjectPut } from '../../domain/administration/administration.ts';
import { mergePatch } from '../../domain/administration/merge-patch.ts';

/** The body of a request that writes an object: its name and its actor may be part of the address. */
export const objectBodySchema = z.looseObject({ name: z.string().optional(), actor: z.string().optional() });

/**
 * The change of an object, which must exist when it is made, by a JSON merge patch.
 * @throws CodedError `validation_failed` if it changes the name or removes the password
 */
export function patchOf(
  target: EntityTarget,
  {
    schema,
    settings: body,
    source,
    conditions,
  }: {
    /** Of the settings of such objects. */
    readonly schema: z.ZodType;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly source: unknown;
    readonly conditions: WriteConditions;
  },
): ObjectPut {
  const { name = target.name, actor, ...patch } = body;
  if (name !== target.name) throw wrongField('name', 'cannot be changed');
  // Passwords are no settings that are stored: removing one would silently change nothing.
  if (patch['password'] === null) throw wrongField('password', 'cannot be removed, only replaced');
  return {
    target,
    settings: (stored) => {
      if (stored && actor !== undefined && actor !== stored['actor']) throw wrongField('actor', 'cannot be changed');
      const { actor: _actor, ...settings } = stored ?? {};
      return withUnknownRemovals(schema, patch, mergePatch(settings, patch));
    },
    ...conditions,
    source,
    ifPresent: true,
  };
}

/** @throws CodedError `validation_failed` if an address names something, and the body something else */
export function assertSame(
  field: string,
  { inBody, inAddress }: { readonly inBody: string | undefined; readonly inAddress: string | undefined },
): void {
  if ((inAddress ?? inBody) !== inBody) throw wrongField(field, `differs from the ${field} in the address`);
}

/** The refusal of one member of a body. */
export function wrongField(field: string, message: string): CodedError {
  return new CodedError('validation_failed', { detail: `${field}: ${message}`, fields: [{ field, message }] });
}
