import { generateKeyPairSync } from 'node:crypto';
import { onlyKey } from '@waybill/signing-keys/key-set';
import { expect, it } from 'vitest';
import { ownKeySource } from './key-source.ts';
import { createSigningKey } from './signing-key.ts';

const newKey = () => createSigningKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);

it('any number of unknown keys make it read the files once, and all concurrent callers wait for that', async () => {
  const [active, added] = [newKey(), newKey()];
  const found = Promise.withResolvers<void>();
  let { current } = onlyKey(active);
  let reads = 0;
  const keys = {
    get current() {
      return current;
    },
    look: () => {
      reads += 1;
      return found.promise;
    },
  };
  const source = ownKeySource(keys);
  const strangers = Array.from({ length: 1_000 }, (_, index) => source.find(`stranger ${index}`));
  const waiting = source.find(added.kid);
  current = { active, next: added, previous: [] };
  found.resolve();
  expect(await waiting).toBe(added.publicKey);
  expect(await Promise.all(strangers)).toEqual(strangers.map(() => undefined));
  expect(await source.find(active.kid)).toBe(active.publicKey);
  expect(reads).toBe(1);
});
