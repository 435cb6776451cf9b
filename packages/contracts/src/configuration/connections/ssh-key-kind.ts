import { z } from 'zod';

/** The kinds of SSH keys that can be generated: Ed25519, ECDSA on P-256, RSA with 4096 bits. The last two are for old servers. */
export const sshKeyKinds = ['ed25519', 'ecdsa', 'rsa'] as const;

/** A kind of SSH key. */
export type SshKeyKind = (typeof sshKeyKinds)[number];

/** The comment of a public key: a part of its line, without a line break. */
export const sshKeyCommentSchema = z
  .string()
  .regex(/^[\x20-\x7e]{0,200}$/u, 'must be a line of at most 200 ASCII characters')
  .transform((comment) => comment.trim());

/** The comment of a key if none is given. */
export const usualSshKeyComment = 'waybill';
