import { z } from 'zod';
import { plainNameSchema } from '../values/configured-names.ts';
import { naming } from './entity-reference.ts';
import { pathFor, type TaskSpecification, writtenFileOutputs } from './task-specification.ts';

/** Names as a list, or as text with commas between them. */
const keyNames = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value),
  z.array(plainNameSchema).min(1).max(100),
);

const anyKey = naming({ kind: 'pgpKey', hasPrivateKey: false });
const ownKey = naming({ kind: 'pgpKey', hasPrivateKey: true });

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const armor = flag.default(false).describe('Write text (ASCII armor) in place of bytes');

const signerOutputs = {
  signer: z
    .string()
    .describe('Name of the key that signed; empty without `signers`, or if an earlier attempt has written the file'),
  signerFingerprint: z.string().describe('Its fingerprint'),
  signedAt: z.string().describe('Time of the signature, ISO 8601'),
};

/** `pgp-encrypt`. */
export const pgpEncryptSpecification = {
  summary: 'Encrypts a file with OpenPGP, and signs it if a key is given. Every recipient can decrypt it.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to encrypt'),
    target: pathFor('upload').describe('File to write'),
    recipients: keyNames.describe('PGP keys of the recipients: a list, or text with commas').meta(anyKey),
    signWith: plainNameSchema.meta(ownKey).optional().describe('Own PGP key that signs the content'),
    armor,
    compress: flag.default(false).describe('Compress the content before it is encrypted'),
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

/** `pgp-decrypt`. */
export const pgpDecryptSpecification = {
  summary:
    'Decrypts an OpenPGP message. With `signers`, a file that none of them has signed is refused. The file appears when all of it is authenticated and verified.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to decrypt, with or without ASCII armor'),
    target: pathFor('upload').describe('File to write'),
    keys: keyNames.describe('Own PGP keys, one of which can decrypt: a list, or text with commas').meta(ownKey),
    signers: keyNames
      .meta(anyKey)
      .optional()
      .describe('PGP keys, one of which must have signed; if it is absent, signatures are not examined'),
  }),
  outputs: writtenFileOutputs.extend(signerOutputs),
} as const satisfies TaskSpecification;

/** `pgp-sign`. */
export const pgpSignSpecification = {
  summary: 'Signs a file with OpenPGP: the signature alone, or the content with its signature.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to sign'),
    target: pathFor('upload').describe('File to write'),
    key: plainNameSchema.describe('Own PGP key').meta(ownKey),
    mode: z
      .enum(['detached', 'inline'])
      .default('detached')
      .describe('`detached`: the target is the signature; `inline`: the content and its signature'),
    armor,
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

/** `pgp-verify`. */
export const pgpVerifySpecification = {
  summary:
    'Verifies who signed a file, with a detached signature or as a signed message. The step fails if no accepted signer did.',
  parameters: z.strictObject({
    source: pathFor('download').describe('The content, or the signed message'),
    signature: pathFor('download')
      .optional()
      .describe('File with the detached signature; without it, the source is a signed message'),
    signers: keyNames.describe('PGP keys, one of which must have signed: a list, or text with commas').meta(anyKey),
    target: pathFor('upload').optional().describe('File to write the content to, without its signature'),
  }),
  outputs: writtenFileOutputs.partial().extend(signerOutputs),
} as const satisfies TaskSpecification;
