import { z } from 'zod';
import {
  configuredPathSchema,
  configuredUserNameSchema,
  descriptionSchema,
  plainNameSchema,
} from '../values/configured-names.ts';
import { permissionSchema } from '../values/permission.ts';
import { protocolSchema } from '../values/protocol.ts';

const form = 'is not of the form: <user> may [not] <operation> <path> [over SFTP|HTTP]';

const sentence =
  /^(?<user>\S+) may(?<not> not)? (?<operation>[a-zA-Z]+) (?<path>\/.*?)(?: over (?<protocol>SFTP|HTTP))?$/u;

const partsSchema = z.object({
  user: configuredUserNameSchema,
  not: z.string().optional(),
  operation: permissionSchema,
  path: configuredPathSchema,
  protocol: protocolSchema.optional(),
});

/** A sentence about access: `acme may download /outbox/** over SFTP`. */
export type ExpectedAccess = Omit<z.infer<typeof partsSchema>, 'not'> & {
  /** False for what the user may not do. */
  readonly allowed: boolean;
  /** Means everything below the path, and not what is at it. */
  readonly below: boolean;
};

/** Whole paths, and everything below one: no other wildcards. */
const everythingBelow = '/**';

/** Reads a sentence; undefined if it is none. */
export function readExpectedAccess(text: string): ExpectedAccess | undefined {
  const { path = '', ...groups } = sentence.exec(text)?.groups ?? {};
  const below = path.endsWith(everythingBelow);
  const place = below ? path.slice(0, -everythingBelow.length) || '/' : path;
  const parsed = partsSchema.safeParse({ ...groups, path: place });
  if (!parsed.success || place.includes('*')) return undefined;
  const { not, ...expected } = parsed.data;
  return { ...expected, allowed: not === undefined, below };
}

const sentenceSchema = z
  .string()
  .max(2_000)
  .refine((text) => readExpectedAccess(text) !== undefined, form);

/** What users may do, and may not do: a configuration that breaks it is refused. */
export const accessTestSchema = z.strictObject({
  name: plainNameSchema,
  description: descriptionSchema,
  expect: z
    .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(sentenceSchema).min(1).max(1_000))
    .describe('Sentences such as `acme may download /outbox/**` or `acme may not delete /outbox/x over SFTP`'),
});
