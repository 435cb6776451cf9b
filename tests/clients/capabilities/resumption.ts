import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { expect } from 'vitest';
import type { Capability } from '../capability.ts';
import { hashFile, writeRandomFile } from '../local-files.ts';
import { openLink } from '../open-link.ts';
import type { PartnerServer } from '../partner-server.ts';
import { ClientFailure } from '../run-client.ts';
import type { ClientActions } from '../transfer-client.ts';
import type { Trial } from '../trial.ts';

const fileSize = 8 * 1_048_576;
/** The link breaks after this much of it. */
const cutAfter = 5 * 1_048_576;
/** What SSH and SFTP add, at most. */
const overhead = 1.05;
const talk = 200_000;

/**
 * Has the client begin over a link that breaks, which it must report, and go on over one that counts: what is there by
 * then, `sizeSoFar`, must not go over it again.
 */
async function expectToGoOn(
  { server, asClient }: Trial,
  steps: Record<'begin' | 'goOn', (client: ClientActions) => Promise<void>> & { sizeSoFar(): Promise<number> },
): Promise<void> {
  await using broken = await openLink({ to: server.platform.sftpPort, breaksAfter: cutAfter });
  const login = { ...server.login('key', broken.port), isFragile: true };
  await expect(asClient(steps.begin, login)).rejects.toThrow(ClientFailure);
  expect(broken.isBroken()).toBe(true);
  await server.untilGone(broken.clientPorts());
  const sizeSoFar = await steps.sizeSoFar();
  expect(sizeSoFar).toBeGreaterThan(0);
  await using counting = await openLink({ to: server.platform.sftpPort });
  await asClient(steps.goOn, server.login('key', counting.port));
  expect(counting.bytes()).toBeGreaterThanOrEqual(fileSize - sizeSoFar);
  expect(counting.bytes()).toBeLessThan((fileSize - sizeSoFar) * overhead + talk);
}

/** What the server has of an upload that was cut off: its uploader alone sees it. */
async function sizeOfPartial({ platform }: PartnerServer, path: string): Promise<number> {
  const login = { port: platform.sftpPort, user: 'acme', identityFile: platform.acmeKeyFile };
  const { stdout } = await runSftp({ ...login, commands: [`ls -l ${path}`] });
  return Number(/^-\S+ +\S+ +\S+ +\S+ +(\d+) /m.exec(stdout)?.[1]);
}

/** Going on after a broken connection. */
export const resumption: readonly Capability[] = [
  {
    title: 'resume an upload that was cut off',
    needs: ['upload', 'resumeUpload'],
    run: async (trial) => {
      const { local, remote, server } = trial;
      const hash = await writeRandomFile(join(local, 'sent'), fileSize);
      await expectToGoOn(trial, {
        begin: (client) => client.upload(join(local, 'sent'), `${remote}/file.bin`),
        sizeSoFar: () => sizeOfPartial(server, `${remote}/file.bin`),
        goOn: (client) => client.resumeUpload(join(local, 'sent'), `${remote}/file.bin`),
      });
      expect(await server.hashOf(`${remote}/file.bin`)).toBe(hash);
    },
  },
  {
    title: 'resume a download that was cut off',
    needs: ['download', 'resumeDownload'],
    run: async (trial) => {
      const { local, remote, server } = trial;
      const chunk = crypto.getRandomValues(new Uint8Array(65_536));
      const bytes = Uint8Array.from({ length: fileSize }, (_, index) => (chunk[index % 65_536] ?? 0) ^ (index >> 16));
      await server.store(`${remote}/file.bin`, bytes);
      await expectToGoOn(trial, {
        begin: (client) => client.download(`${remote}/file.bin`, join(local, 'fetched')),
        sizeSoFar: async () => (await stat(join(local, 'fetched'))).size,
        goOn: (client) => client.resumeDownload(`${remote}/file.bin`, join(local, 'fetched')),
      });
      expect(await hashFile(join(local, 'fetched'))).toBe(await server.hashOf(`${remote}/file.bin`));
    },
  },
];
