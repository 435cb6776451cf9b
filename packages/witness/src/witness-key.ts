import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { makeKeyFile, readKeyFile } from '@waybill/signing-keys/key-file';
import { formatKey, keyId, signatureTypes } from './verifier-key.ts';

/** The key of a witness: Ed25519, which it uses for cosignatures and for nothing else. */
export interface WitnessKey {
  /** What others need to verify its cosignatures: `<name>+<key id>+<key>`. */
  readonly verifierKey: string;
  /** The signature line of a cosignature/v1 (C2SP tlog-cosignature) of the text of a checkpoint. */
  cosign(text: string, time: Date): string;
}

/**
 * Reads the key of a witness from a PEM file, which is generated if it is missing.
 * @throws Error with a sentence that names the file or the name
 */
export async function openWitnessKey(file: string, name: string): Promise<WitnessKey> {
  if (!/^[^\s+]+$/u.test(name)) throw new Error(`a witness cannot be named ${JSON.stringify(name)}: no blanks, no +`);
  if ((await readKeyFile(file)) === undefined) {
    const { privateKey } = generateKeyPairSync('ed25519');
    await makeKeyFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  }
  const key = readPem(file, (await readKeyFile(file)) ?? '');
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  const publicKey = Buffer.from(x, 'base64url');
  const type = signatureTypes.cosignature;
  return {
    verifierKey: formatKey(name, type, publicKey),
    cosign: (text, time) => {
      const seconds = Math.floor(time.getTime() / 1_000);
      const timestamp = Buffer.alloc(8);
      timestamp.writeBigUInt64BE(BigInt(seconds));
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`), key);
      return `— ${name} ${Buffer.concat([keyId(name, type, publicKey), timestamp, signature]).toString('base64')}\n`;
    },
  };
}

function readPem(file: string, text: string): KeyObject {
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new Error(`${file} holds no private key in PEM`, { cause });
  }
  throw new Error(`${file} holds a key of another type than Ed25519`);
}
