import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { expect, it } from 'vitest';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway({ env: { SFTP_REKEY_MEGABYTES: '1' } });

const mebibytes = 24;

/** In both directions, with keys that the client renews after each mebibyte and the gateway every second. */
async function expectTransfer(cipher: string, name: string): Promise<number> {
  const content = randomBytes(mebibytes * 1024 * 1024 + 17);
  const [sent, received] = [join(peer.rig.folder, `sent-${name}`), join(peer.rig.folder, `received-${name}`)];
  await writeFile(sent, content);
  const outcome = await runSftp({
    port: peer.gateway.sftpPort,
    user: 'globex',
    password: 'globex-demo',
    commands: [`put ${sent} /data/${name}`, `get /data/${name} ${received}`],
    sshOptions: { Ciphers: cipher, RekeyLimit: '1M', LogLevel: 'DEBUG1' },
    timeoutMs: 60_000,
  });
  expect(outcome, outcome.stderr.slice(-2_000)).toMatchObject({ exitCode: 0 });
  expect((await readFile(received)).equals(content)).toBe(true);
  return outcome.stderr.match(/SSH2_MSG_NEWKEYS received/gu)?.length ?? 0;
}

it.each(['aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com', 'aes128-ctr'])(
  'transfers continue while both sides renew keys, two at a time and in both directions: %s',
  async (cipher) => {
    const names = ['one', 'two'].map((name) => `${name}-${cipher}`);
    const renewals = await Promise.all(names.map((name) => expectTransfer(cipher, name)));
    // At least for half of the transferred bytes: each side counts differently from the last renewal.
    for (const count of renewals) expect(count).toBeGreaterThan(mebibytes);
  },
  90_000,
);
