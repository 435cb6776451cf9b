import { join } from 'node:path';
import { expect } from 'vitest';
import type { Capability } from '../capability.ts';
import { hashFile, writeRandomFile } from '../local-files.ts';
import { openLink } from '../open-link.ts';
import { ClientFailure } from '../run-client.ts';
import type { ClientActions } from '../transfer-client.ts';
import type { Trial } from '../trial.ts';

const fileSize = 8 * 1_048_576;
/** The link breaks after this much of it, and at least half of that need not go over it again. */
const cutAfter = 5 * 1_048_576;
const mostToGo = fileSize - cutAfter / 2;

/** Has the client begin over a link that breaks, which it must report, and go on over one that counts. */
async function expectToGoOn(
  { server, asClient }: Trial,
  begin: (client: ClientActions) => Promise<void>,
  goOn: (client: ClientActions) => Promise<void>,
): Promise<void> {
  await using broken = await openLink({ to: server.platform.sftpPort, breaksAfter: cutAfter });
  await expect(asClient(begin, { ...server.login('key', broken.port), isFragile: true })).rejects.toThrow(
    ClientFailure,
  );
  expect(broken.isBroken()).toBe(true);
  await server.untilGone(broken.clientPorts());
  await using counting = await openLink({ to: server.platform.sftpPort });
  await asClient(goOn, server.login('key', counting.port));
  expect(counting.bytes()).toBeGreaterThan(fileSize - cutAfter);
  expect(counting.bytes()).toBeLessThan(mostToGo);
}

/** Going on after a broken connection. */
export const resumption: readonly Capability[] = [
  {
    title: 'resume an upload that was cut off',
    needs: ['upload', 'resumeUpload'],
    run: async (trial) => {
      const { local, remote, server } = trial;
      const hash = await writeRandomFile(join(local, 'sent'), fileSize);
      await expectToGoOn(
        trial,
        (client) => client.upload(join(local, 'sent'), `${remote}/file.bin`),
        (client) => client.resumeUpload(join(local, 'sent'), `${remote}/file.bin`),
      );
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
      await expectToGoOn(
        trial,
        (client) => client.download(`${remote}/file.bin`, join(local, 'fetched')),
        (client) => client.resumeDownload(`${remote}/file.bin`, join(local, 'fetched')),
      );
      expect(await hashFile(join(local, 'fetched'))).toBe(await server.hashOf(`${remote}/file.bin`));
    },
  },
];
