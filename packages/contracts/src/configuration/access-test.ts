import { z } from 'zod';
import {
  configuredPathSchema,
  configuredUserNameSchema,
  descriptionSchema,
  plainNameSchema,
} from '../values/configured-names.ts';
import { clientAddressSchema } from '../values/network.ts';
import { permissionSchema } from '../values/permission.ts';
import { protocolSchema } from '../values/protocol.ts';

const form = 'is not of the form: <user> may [not] <operation> <path> [over SFTP|HTTP] [from <address>]';
const addressForm = 'has no IP address at its end, after `from`: one address, and neither a network nor a name';

const sentence =
  /^(?<user>\S+) may(?<not> not)? (?<operation>[a-zA-Z]+) (?<path>\/.*?)(?: over (?<protocol>SFTP|HTTP))?(?: from (?<address>[\da-fA-F.:]+))?$/u;

/** An address, or the beginning of one, that would be a part of a path: a network, a list, or one before `over`. */
const misplacedAddress = /\sfrom\s+\[?(?:\d+\.|[\da-f]*:)/iu;
/** A word where an address stands. Read as a part of the path, it would make a test of a path that does not exist. */
const misreadWord = /\sfrom\s+[^\s/]+$/u;

const partsSchema = z.object({
  user: configuredUserNameSchema,
  not: z.string().optional(),
  operation: permissionSchema,
  path: configuredPathSchema,
  protocol: protocolSchema.optional(),
  address: clientAddressSchema.optional(),
});

/** A sentence about access: `acme may download /outbox/** over SFTP from 192.0.2.7`. */
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
  if (misplacedAddress.test(path) || (groups['address'] === undefined && misreadWord.test(path))) return undefined;
  const below = path.endsWith(everythingBelow);
  const place = below ? path.slice(0, -everythingBelow.length) || '/' : path;
  const parsed = partsSchema.safeParse({ ...groups, path: place });
  if (!parsed.success || place.includes('*')) return undefined;
  const { not, ...expected } = parsed.data;
  return { ...expected, allowed: not === undefined, below };
}

/** Why a sentence cannot be read. */
export function whyUnreadable(text: string): string {
  return misreadWord.test(text) || misplacedAddress.test(text) ? addressForm : form;
}

const sentenceSchema = z
  .string()
  .max(2_000)
  .refine((text) => readExpectedAccess(text) !== undefined, { error: ({ input }) => whyUnreadable(String(input)) });

/** What users may do, and may not do: a configuration that breaks it is refused. */
export const accessTestSchema = z.strictObject({
  name: plainNameSchema,
  description: descriptionSchema,
  expect: z
    .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(sentenceSchema).min(1).max(1_000))
    .describe(
      'Sentences such as `acme may download /outbox/**` or `acme may not delete /outbox/x over SFTP from 192.0.2.7`',
    ),
});
