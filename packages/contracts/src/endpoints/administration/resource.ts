import { z } from 'zod';
import type { EntityType } from '../../configuration/entity-type.ts';
import { plainNameSchema } from '../../values/configured-names.ts';

/** A kind of objects that administrators read and write. */
export interface AdministeredResource {
  /** In ids of operations and schemas: `VirtualFileSystem`. */
  readonly id: string;
  readonly entityType: EntityType;
  /** The last part of the address: `virtual-file-systems`. */
  readonly collection: string;
  /** In sentences, in the singular and in the plural. */
  readonly titles: readonly [one: string, many: string];
  /** Its settings, as in the configuration file. */
  readonly schema: z.ZodType;
  /** The resource of the permissions that its endpoints demand; default: `configuration`. */
  readonly permissions?: 'configuration' | 'identities';
  /** Whether its objects belong to an actor: all, some or none. */
  readonly ofActor: 'all' | 'some' | 'none';
}

const actor = plainNameSchema.describe('The actor that it belongs to').meta({ example: 'acme' });

/** The settings in a request: those of the configuration file, and the actor. The name may be left out where the address has it. */
export function settingsSchema({ id, schema, ofActor }: AdministeredResource): z.ZodType {
  const owner = { all: { actor }, some: { actor: actor.optional() }, none: {} }[ofActor];
  return extended(schema, { name: plainOrNot(schema).optional(), ...owner }, []).meta({ id: `${id}Settings` });
}

/** An object in a response: its settings with their defaults and without passwords, its actor and its owner. */
export function objectSchema({ id, schema, ofActor }: AdministeredResource): z.ZodType {
  const shape = {
    ...(ofActor === 'none' ? {} : { actor: actor.optional() }),
    source: z
      .string()
      .nullable()
      .describe('The configuration source that owns it, and whose file changes it; null: the API')
      .meta({ example: 'default' }),
  };
  return extended(schema, shape, ['password']).meta({ id });
}

/** The name of an object of this kind. */
function plainOrNot(schema: z.ZodType): z.ZodType {
  const [first] = objectsIn(schema);
  const name: unknown = first?.shape['name'];
  return name instanceof z.ZodType ? name : plainNameSchema;
}

/** A schema of settings with more members, and without some. */
function extended(schema: z.ZodType, shape: z.ZodRawShape, left: readonly string[]): z.ZodType {
  const options = objectsIn(schema).map((option) => without(option, left).safeExtend(shape));
  const [first, ...others] = options;
  if (first === undefined) throw new Error('settings are an object or one of several');
  return others.length === 0 ? first : z.discriminatedUnion('type', [first, ...others]);
}

function without(object: z.ZodObject, left: readonly string[]): z.ZodObject {
  if (!left.some((name) => name in object.shape)) return object;
  return z.strictObject(Object.fromEntries(Object.entries(object.shape).filter(([name]) => !left.includes(name))));
}

/** The object, or those of a union. */
function objectsIn(schema: z.ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return [];
  return schema.options.flatMap((option) => (option instanceof z.ZodType ? objectsIn(option) : []));
}
