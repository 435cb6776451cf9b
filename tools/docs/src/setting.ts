import { hostname } from 'node:os';
import { isSecretSchema, Secret } from '@waybill/service-kit/config/secret';
import { fileVariableOf } from '@waybill/service-kit/config/secret-source';
import { z } from 'zod';

/** One environment variable of a service, as its documentation needs it. */
export interface Setting {
  readonly name: string;
  readonly description: string;
  /** In the form of the environment; undefined if the variable must be set. */
  readonly defaultText: string | undefined;
  /** The accepted values in words, if the type limits them. */
  readonly range: string | undefined;
  /** The variable that names a file with the value, for a secret. */
  readonly fileVariable: string | undefined;
}

/** Reads the settings of a configuration schema, in the order of the schema. */
export function settingsOf(schema: z.ZodObject): Setting[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    if (!(field instanceof z.ZodType)) throw new TypeError(`${name} is not a zod schema`);
    if (field.description === undefined) throw new Error(`${name} has no description`);
    return {
      name,
      description: field.description,
      defaultText: defaultTextOf(field),
      range: rangeOf(field),
      fileVariable: isSecretSchema(field) ? fileVariableOf(name) : undefined,
    };
  });
}

function defaultTextOf(field: z.ZodType): string | undefined {
  const parsed = field.safeParse(undefined);
  return parsed.success ? textOf(parsed.data) : undefined;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (value instanceof Secret) return value.reveal();
  // The page must be the same on every machine.
  if (value === hostname()) return '<host name>';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

interface JsonSchema {
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

function rangeOf(field: z.ZodType): string | undefined {
  const schema: JsonSchema = z.toJSONSchema(field, { io: 'output', unrepresentable: 'any' });
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  const { minimum, maximum } = schema;
  if (minimum === undefined) return undefined;
  return maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
    ? `at least ${minimum}`
    : `${minimum} to ${maximum}`;
}
