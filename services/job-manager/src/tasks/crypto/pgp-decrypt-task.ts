import { CodedError } from '@waybill/contracts/errors/coded-error';
import { pgpDecryptSpecification, pgpVerifySpecification } from '@waybill/contracts/tasks/crypto-specifications';
import type { FilePlace } from '@waybill/contracts/tasks/file-place';
import { signatureBytesAtMost } from '@waybill/pgp/verify-content';
import type { JobFiles } from '../../domain/workflows/task.ts';
import { defineTask } from '../define-task.ts';
import { type TransformedFile, writeTransformed } from '../write-transformed.ts';
import { pgpOrder } from './pgp-order.ts';
import { repeatTransformation } from './repeat-transformation.ts';

const mediaType = 'application/octet-stream';

/** Decrypts a file in a worker thread, as it is read. An attempt after one that has written the target finds the signer alone. */
export const pgpDecryptTask = defineTask({
  ...pgpDecryptSpecification,
  run: async ({ source, target, keys, signers = [] }, context) => {
    const { files, connections, log } = context;
    const decrypt = async (write: JobFiles['write']): Promise<TransformedFile> => {
      const [own, accepted] = await Promise.all([
        Promise.all(keys.map((name) => connections.pgpKey(name, 'private'))),
        Promise.all(signers.map((name) => connections.pgpKey(name, 'public'))),
      ]);
      await using file = await files.open(source);
      const order = pgpOrder({ do: 'decrypt', keys: own, signers: accepted }, file.content());
      const transformed = await writeTransformed(order, { target, mediaType }, { ...context, files: { write } });
      const examined = described(transformed.result, signers.length > 0);
      log(`Decrypted ${source} (${file.size} bytes) into ${target}, ${examined}`);
      return transformed;
    };
    const earlier = await files.written(target);
    if (earlier) return { ...earlier, ...signerOutputs(await repeatTransformation(decrypt, earlier, log)) };
    const { written, result } = await decrypt(files.write);
    return { ...written, ...signerOutputs(result) };
  },
});

/** Verifies a file in a worker thread, as it is read. An attempt after one that has written the target finds the signer alone. */
export const pgpVerifyTask = defineTask({
  ...pgpVerifySpecification,
  run: async ({ source, signature, signers, target }, context) => {
    const { files, connections, log } = context;
    const verify = async (write: JobFiles['write']): Promise<TransformedFile> => {
      const accepted = await Promise.all(signers.map((name) => connections.pgpKey(name, 'public')));
      const detached = signature === undefined ? undefined : await readSignature(files, signature);
      await using file = await files.open(source);
      const order = pgpOrder({ do: 'verify', signers: accepted, signature: detached }, file.content());
      const transformed = await writeTransformed(order, { target, mediaType }, { ...context, files: { write } });
      log(`Verified ${source} (${file.size} bytes), ${described(transformed.result, true)}`);
      return transformed;
    };
    const earlier = target === undefined ? undefined : await files.written(target);
    if (earlier) return { ...earlier, ...signerOutputs(await repeatTransformation(verify, earlier, log)) };
    const { written, result } = await verify(files.write);
    return { ...written, ...signerOutputs(result) };
  },
});

/** A detached signature, Base64. */
async function readSignature(files: JobFiles, path: FilePlace): Promise<string> {
  await using file = await files.open(path);
  if (file.size > signatureBytesAtMost) {
    throw new CodedError('signature_invalid', { detail: `${path} is too long for a signature: ${file.size} bytes` });
  }
  const chunks: Buffer[] = [];
  const content: AsyncIterable<Buffer> = file.content();
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString('base64');
}

function signerOutputs({ signer = '', fingerprint = '', signedAt = '' }: Readonly<Record<string, string>>) {
  return { signer, signerFingerprint: fingerprint, signedAt };
}

function described({ signer, fingerprint, signedAt }: Readonly<Record<string, string>>, isExamined: boolean): string {
  return isExamined ? `signed by ${signer} (${fingerprint}) at ${signedAt}` : 'its signatures were not examined';
}
