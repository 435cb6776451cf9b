import { join } from 'node:path';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { readKeyPair } from '@waybill/certificates/read-key-pair';
import { writeWhole } from './write-whole.ts';

/** About a year, the former maximum of public certificate authorities. */
const days = 397;
const renewedBeforeMs = 30 * 86_400_000;

/**
 * Creates a self-signed `cert.pem` and `key.pem` in the folder, unless there is a pair that is valid for another 30
 * days. Returns whether it created one.
 */
export async function prepareCertificate(folder: string, names: readonly string[]): Promise<boolean> {
  const files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
  const pair = await readKeyPair(files).catch(() => undefined);
  if (pair !== undefined && pair.expiresAt.getTime() - Date.now() > renewedBeforeMs) return false;
  const { cert, key } = await makeSelfSigned({ names, days });
  await writeWhole(files.keyFile, key, 0o400);
  await writeWhole(files.certFile, cert, 0o444);
  return true;
}
