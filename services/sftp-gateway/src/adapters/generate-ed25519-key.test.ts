import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { generateEd25519Key } from './host-key-store.ts';

it('every generated key can be read and signs what its public half verifies', () => {
  for (let count = 0; count < 400; count += 1) {
    const pair = generateEd25519Key();
    const [privateKey, publicKey] = [parse(pair.private), parse(pair.public)];
    expect(publicKey.verify(Buffer.from('data'), privateKey.sign(Buffer.from('data')))).toBe(true);
  }
});

function parse(key: string): ssh2.ParsedKey {
  const parsed = ssh2.utils.parseKey(key);
  if (parsed instanceof Error) throw parsed;
  return parsed;
}
