import { createHash } from 'node:crypto';
import type { EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import { type AdministeredPart, resourceOf } from '@waybill/contracts/endpoints/administration/part-table';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { canonicalJson } from '@waybill/directory/administration/entity-version';
import type { WriteConditions } from '@waybill/directory/administration/write-in-transaction';
import { z } from 'zod';
import type { Administration, Administrator, ConfiguredObject, ObjectPut } from './administration.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Names a part of an object. */
export interface PartTarget {
  readonly part: AdministeredPart;
  /** The name of the object. */
  readonly parent: string;
  readonly name: string;
}

/** A part of an object. */
export interface ObjectPart {
  readonly parent: string;
  /** The actor of the object, if it belongs to one. */
  readonly actor: string | undefined;
  /** The owner of the object. */
  readonly source: EntityOwner;
  readonly settings: Settings;
  /** The same as long as the settings stay the same. */
  readonly version: string;
}

/** A change of one part: its new settings from those that are stored, or `undefined` to remove it. */
export interface PartChange {
  readonly settings: (stored: Settings | undefined) => Settings | undefined;
  /** What the request states of the object: its actor and its owner have to be these. */
  readonly stated: { readonly actor?: unknown; readonly source?: unknown };
  readonly conditions: Pick<WriteConditions, 'ifMatch' | 'ifAbsent'>;
}

/** Reads and writes parts of objects: each change is one of the object, with its checks, its owner and its record. */
export interface ObjectParts {
  /** @throws CodedError `entity_unknown` */
  find(target: PartTarget, by: Administrator): Promise<ObjectPart>;
  /** What is there afterwards. @throws CodedError as `Administration.put` does */
  write(
    target: PartTarget,
    change: PartChange,
    by: Administrator,
  ): Promise<{ readonly written: ObjectPart | undefined; readonly isNew: boolean }>;
  /** @throws CodedError as `write` does */
  preview(target: PartTarget, change: PartChange, by: Administrator): Promise<ChangePreview>;
}

/** Reads and writes parts of the objects of an administration. */
export function createObjectParts(administration: Pick<Administration, 'find' | 'put' | 'preview'>): ObjectParts {
  const parentOf = async ({ part, parent }: PartTarget, by: Administrator): Promise<ConfiguredObject> =>
    await administration.find({ entityType: resourceOf(part).entityType, name: parent }, by);
  const statedParentOf = async (target: PartTarget, by: Administrator, { stated }: PartChange) => {
    const object = await parentOf(target, by);
    assertStated(target, object, stated);
    return object;
  };
  return {
    find: async (target, by) => partIn(await parentOf(target, by), target) ?? refuseUnknown(target),
    write: async (target, change, by) => {
      const attempt = writeOf(target, await statedParentOf(target, by, change), change);
      const { object } = await explaining(attempt, async () => await administration.put(attempt.write, by));
      return { written: partIn(object, target), isNew: attempt.isNew() };
    },
    preview: async (target, change, by) => {
      const attempt = writeOf(target, await statedParentOf(target, by, change), change);
      return await explaining(attempt, async () => await administration.preview([attempt.write], by));
    },
  };
}

/** The version of a part, for `If-Match`. */
export function versionOfPart(parent: string, settings: Settings): string {
  return createHash('sha256')
    .update(canonicalJson([parent, settings]))
    .digest('base64url')
    .slice(0, 22);
}

interface Attempt {
  readonly write: ObjectPut;
  /** Where the part is in the settings of the object, as it was read last. */
  place(): string;
  isNew(): boolean;
}

/** The change of the object: the part is looked up, and its conditions are checked, in the transaction of the change. */
function writeOf(target: PartTarget, { definition }: ConfiguredObject, { settings, conditions }: PartChange): Attempt {
  const { part, parent, name } = target;
  let at = 0;
  let isNew = false;
  const changed = (stored: Settings = {}): object => {
    const { actor: _actor, ...others } = stored;
    const parts = partsOf(stored, part);
    const index = parts.findIndex((one) => one['name'] === name);
    const current = parts[index];
    isNew = current === undefined;
    at = isNew ? parts.length : index;
    assertConditions(target, current, conditions);
    const next = settings(current);
    if (next === undefined && isNew) refuseUnknown(target);
    const replacement = next === undefined ? [] : [{ ...next, name }];
    const remaining = parts.toSpliced(at, 1, ...replacement);
    return { ...others, [part.setting]: remaining.length === 0 && part.isOptional ? undefined : remaining };
  };
  const { entityType } = resourceOf(part);
  const actor = actorOf(definition);
  return {
    // The object may have been deleted since it was found.
    write: { target: { entityType, name: parent, actor }, settings: changed, ifPresent: true },
    place: () => `${part.setting}[${at}]`,
    isNew: () => isNew,
  };
}

/** The object of a part decides about its actor and its owner. @throws CodedError `validation_failed` */
function assertStated(
  { part, parent }: PartTarget,
  { source, definition }: ConfiguredObject,
  stated: PartChange['stated'],
): void {
  const own: [string, unknown, unknown][] = [
    ['actor', stated.actor, actorOf(definition)],
    ['source', stated.source, source],
  ];
  const fields = own
    .filter(([, given, present]) => given !== undefined && given !== (present ?? null))
    .map(([field, , present]) => ({
      field,
      message: `is that of the ${part.member} ${parent}, ${JSON.stringify(present ?? null)}, and changes with it only`,
    }));
  if (fields.length === 0) return;
  const detail = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new CodedError('validation_failed', { detail, fields });
}

function assertConditions(
  target: PartTarget,
  current: Settings | undefined,
  { ifMatch, ifAbsent }: PartChange['conditions'],
): void {
  const [one] = target.part.titles;
  if (ifAbsent && current) {
    throw new CodedError('entity_exists', { detail: `The ${one} ${target.name} exists already in ${target.parent}` });
  }
  if (ifMatch === undefined) return;
  const isMet = current && (ifMatch.includes('*') || ifMatch.includes(versionOfPart(target.parent, current)));
  if (!isMet) throw new CodedError('precondition_failed');
}

/** Names the settings of the part in errors. Faults elsewhere in the object are there because it uses the part. */
async function explaining<Result>({ place }: Attempt, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isCodedError(error, 'validation_failed')) throw error;
    const own = error.fields.filter(({ field }) => field === place() || field.startsWith(`${place()}.`));
    const fields = own.map((fault) => ({ ...fault, field: fault.field.slice(place().length + 1) }));
    const shown = (own.length > 0 ? fields : error.fields)
      .map(({ field, message }) => `${field}: ${message}`)
      .join('; ');
    if (own.length > 0)
      throw new CodedError('validation_failed', {
        detail: `The settings are not valid: ${shown}`,
        fields,
        cause: error,
      });
    throw new CodedError('entity_in_use', {
      detail: `The change is refused: ${shown}`,
      fields: error.fields,
      cause: error,
    });
  }
}

const partsSchema = z.array(z.looseObject({ name: z.string() })).default([]);

function partsOf(definition: Settings, { setting }: AdministeredPart): Settings[] {
  return partsSchema.parse(definition[setting]);
}

function partIn({ definition, source }: ConfiguredObject, { part, parent, name }: PartTarget): ObjectPart | undefined {
  const settings = partsOf(definition, part).find((one) => one['name'] === name);
  return settings && { parent, actor: actorOf(definition), source, settings, version: versionOfPart(parent, settings) };
}

function actorOf({ actor }: Settings): string | undefined {
  return typeof actor === 'string' ? actor : undefined;
}

function refuseUnknown({ part: { titles }, parent, name }: PartTarget): never {
  throw new CodedError('entity_unknown', { detail: `There is no ${titles[0]} ${name} in ${parent}` });
}
