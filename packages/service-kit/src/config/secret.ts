import { inspect } from 'node:util';
import { z } from 'zod';

/** A value that does not print: not in logs, not as JSON, not in a template string. `reveal` returns it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

const secretMark = 'waybillSecret';

/** A non-empty string, parsed to a `Secret`. A setting of this type can also be given as a file, by `<NAME>_FILE`. */
export const secretSchema = z
  .string()
  .min(1)
  .transform((value) => new Secret(value))
  .meta({ [secretMark]: true });

/** Whether a setting is a `secretSchema`, possibly described, optional or with a default. */
export function isSecretSchema(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isSecretSchema(schema.unwrap());
  return schema instanceof z.ZodType && schema.meta()?.[secretMark] === true;
}
