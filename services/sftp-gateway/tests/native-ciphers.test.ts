import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Garbage is collected here in the middle of code that V8 has optimised, which has no JavaScript context then. */
const program = `
  const { AESGCMCipher, AESGCMDecipher, ChaChaPolyCipher, ChaChaPolyDecipher, GenericCipher, GenericDecipher } =
    require('ssh2/lib/protocol/crypto/build/Release/sshcrypto.node');
  const key = (length) => Buffer.alloc(length, 1);
  const ctr = ['aes-128-ctr', key(16), key(16), 'sha256', key(32), false];
  let kept = [];
  const litter = () => {
    kept = [];
    for (let index = 0; index < 400_000; index += 1) kept.push({ index });
  };
  const collect = async (make) => {
    let collected = 0;
    const registry = new FinalizationRegistry(() => (collected += 1));
    for (let index = 0; index < 200; index += 1) registry.register(make());
    for (let tries = 0; collected === 0 && tries < 50; tries += 1) {
      litter();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return collected > 0;
  };
  (async () => {
    for (const make of [
      () => new AESGCMCipher('aes-128-gcm', key(16), key(12)),
      () => new AESGCMDecipher('aes-128-gcm', key(16), key(12)),
      () => new ChaChaPolyCipher(key(64)),
      () => new ChaChaPolyDecipher(key(64)),
      () => new GenericCipher(...ctr),
      () => new GenericDecipher(...ctr, 32),
    ]) console.log(await collect(make));
  })();
`;

it('ciphers of ended connections and renewed keys are collected at any time, without ending the process', async () => {
  const run = promisify(execFile)(
    process.execPath,
    ['--no-incremental-marking', '--max-old-space-size=48', '--input-type=commonjs', '-e', program],
    {
      cwd: import.meta.dirname,
    },
  );
  await expect(run).resolves.toMatchObject({ stdout: 'true\n'.repeat(6) });
});
