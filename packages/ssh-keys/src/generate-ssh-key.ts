import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { SshKeyKind } from '@waybill/contracts/configuration/connections/ssh-key-kind';
import { inOpensshFormat, type SshKeyPair } from './openssh-format.ts';

const generate = promisify(generateKeyPair);

const generators: Record<SshKeyKind, () => Promise<{ readonly privateKey: KeyObject }>> = {
  ed25519: () => generate('ed25519'),
  ecdsa: () => generate('ec', { namedCurve: 'P-256' }),
  rsa: () => generate('rsa', { modulusLength: 4_096 }),
};

/** Generates a key pair that OpenSSH accepts; the private key has no passphrase. */
export async function generateSshKey(kind: SshKeyKind, comment: string): Promise<SshKeyPair> {
  const { privateKey } = await generators[kind]();
  return inOpensshFormat(privateKey, comment);
}
