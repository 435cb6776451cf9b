import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountRoot } from './drivers/sshfs.ts';
import './page-entry.ts';
import { type PartnerServer, startPartnerServer } from './partner-server.ts';
import { runClient } from './run-client.ts';

/** Of each kind of loop. */
const rounds = Number(process.env['ROUNDS'] ?? 100);
const program = new URL('loop-open-files.ts', import.meta.url).pathname;
let server: PartnerServer;

beforeAll(async () => {
  server = await startPartnerServer();
});
afterAll(() => server[Symbol.asyncDispose]());

async function loop(folder: string): Promise<Record<string, number>> {
  const output = await runClient([process.execPath, program, folder, `${rounds}`], { timeoutMs: 800_000 });
  return JSON.parse(output) as Record<string, number>;
}

const none = {
  'a file that is changed and removed': 0,
  'a file that is changed and renamed': 0,
  'a file that is written and removed, and another of its name': 0,
  'a lock file that takes the place of a file, and one that is removed': 0,
};

/** Runs a script of the folder's programs, and returns what it prints. */
const run = (script: string, folder: string) =>
  runClient(['bash', '-c', script, 'bash', folder], {
    timeoutMs: 250_000,
    env: {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    },
  });

/** Writes each line when `tail -f` has printed the one before, so that all of them are read while the file is open. */
const followed = `
  set -eu
  printed=$(mktemp)
  exec 3> "$1/followed"
  tail -n +1 -s 0.05 -f "$1/followed" > "$printed" & tail=$!
  trap 'kill $tail; rm "$printed"' EXIT
  for line in $(seq 30); do
    echo "line $line" >&3
    until grep -qx "line $line" "$printed"; do sleep 0.02; done
  done
  exec 3>&-
  cat "$printed"`;

const commits = 30;
const committed = `
  set -eu
  cd "$1"
  git init -q
  for commit in $(seq ${commits}); do
    echo "$commit" > file
    git add file
    git commit -qm "commit $commit"
  done
  # Its maintenance may still run. What it left behind stays.
  for try in $(seq 100); do
    locks=$(find .git -name '*.lock')
    [ -n "$locks" ] || break
    sleep 1
  done
  git fsck --strict --no-progress >&2
  echo "$(git rev-list --count HEAD) commits, locks: $locks"`;

const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('');

/** What `tail -f` printed, and what is in the file. */
async function follow(folder: string): Promise<[string, string]> {
  return [await run(followed, folder), await readFile(join(folder, 'followed'), 'utf8')];
}

/** A new folder of the platform. */
async function inMount<T>(act: (folder: string) => Promise<T>, { isDirect = false } = {}): Promise<T> {
  const mount = await mountRoot({ ...server.login('key'), isFragile: isDirect });
  try {
    return await act(await mkdtemp(join(mount.folder, 'inbox', 'folder-')));
  } finally {
    await mount.unmount();
  }
}

/** A new folder of OpenSSH's server. */
async function inMountOfOpenssh<T>(act: (folder: string) => Promise<T>, { isDirect = false } = {}): Promise<T> {
  const { path, remove } = await createTestFolder();
  // sshfs speaks to whatever its SSH command starts.
  const command = join(path, 'instead-of-ssh');
  await writeFile(command, '#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n');
  await chmod(command, 0o755);
  const [mounted, served] = [join(path, 'mounted'), join(path, 'served')];
  await Promise.all([mounted, served].map((folder) => mkdir(folder)));
  await runClient([
    'sshfs',
    ...(isDirect ? ['-o', 'direct_io'] : []),
    '-o',
    `ssh_command=${command}`,
    `localhost:${served}`,
    mounted,
  ]);
  try {
    await waitFor(async () => (await runClient(['stat', '-f', '-c', '%T', mounted])).includes('fuse'), {
      what: 'the folder to be mounted',
    });
    return await act(mounted);
  } finally {
    await runClient(['fusermount3', '-u', '-z', mounted]);
    await remove();
  }
}

// With `direct_io` each read goes to the server, although the kernel has seen what was written.
describe.each([
  ['the platform', inMount],
  ["OpenSSH's server", inMountOfOpenssh],
])('over sshfs to %s', (_, inside) => {
  it(`${rounds} files of each kind are as programs leave them`, async () => {
    expect(await inside(loop)).toEqual(none);
  }, 900_000);

  it.each([false, true])(
    '`tail -f` prints each line of a file that is still being written (direct_io: %s)',
    async (isDirect) => {
      expect(await inside(follow, { isDirect })).toEqual([lines, lines]);
    },
    300_000,
  );

  it(`${commits} commits leave no lock file`, async () => {
    const printed = await inside((folder) => run(committed, folder));
    expect(printed).toBe(`${commits} commits, locks: \n`);
  }, 300_000);
});
