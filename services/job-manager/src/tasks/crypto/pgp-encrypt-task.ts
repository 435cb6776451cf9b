import { pgpEncryptSpecification, pgpSignSpecification } from '@waybill/contracts/tasks/crypto-specifications';
import { defineTask } from '../define-task.ts';
import { writeTransformed } from '../write-transformed.ts';
import { pgpOrder } from './pgp-order.ts';

/** Media types of RFC 3156 for files: with armor they are text, too. */
const mediaTypes = { message: 'application/pgp-encrypted', signature: 'application/pgp-signature' } as const;

/** Encrypts a file in a worker thread, as it is read. */
export const pgpEncryptTask = defineTask({
  ...pgpEncryptSpecification,
  run: async ({ source, target, recipients, signWith, armor, compress }, context) => {
    const { files, connections, log } = context;
    const earlier = await files.written(target);
    if (earlier) {
      log(`An earlier attempt has written ${target}`);
      return { ...earlier };
    }
    const [keys, signer] = await Promise.all([
      Promise.all(recipients.map((name) => connections.pgpKey(name, 'public'))),
      signWith === undefined ? undefined : connections.pgpKey(signWith, 'private'),
    ]);
    await using file = await files.open(source);
    const order = pgpOrder({ do: 'encrypt', recipients: keys, signer, armor, compress }, file.content());
    const place = { target, mediaType: mediaTypes.message };
    const { written, result } = await writeTransformed(order, place, context);
    log(
      `Encrypted ${source} (${file.size} bytes) into ${target} for ${recipients.join(', ')} (${result['fingerprints']})`,
    );
    return { ...written };
  },
});

/** Signs a file in a worker thread, as it is read. */
export const pgpSignTask = defineTask({
  ...pgpSignSpecification,
  run: async ({ source, target, key, mode, armor }, context) => {
    const { files, connections, log } = context;
    const earlier = await files.written(target);
    if (earlier) {
      log(`An earlier attempt has written ${target}`);
      return { ...earlier };
    }
    const signer = await connections.pgpKey(key, 'private');
    await using file = await files.open(source);
    const detached = mode === 'detached';
    const order = pgpOrder({ do: 'sign', signer, armor, detached }, file.content());
    const place = { target, mediaType: detached ? mediaTypes.signature : mediaTypes.message };
    const { written, result } = await writeTransformed(order, place, context);
    log(`Signed ${source} (${file.size} bytes) with ${key} (${result['fingerprint']}) into ${target}`);
    return { ...written };
  },
});
