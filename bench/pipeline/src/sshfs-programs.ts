import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Where sshfs connects to. */
export interface SshfsServer {
  readonly port: number;
  readonly user: string;
  readonly identityFile: string;
  /** The folder to mount. */
  readonly folder: string;
}

/** How long a program took on a mounted folder, in seconds. */
export interface ProgramTime {
  readonly program: string;
  readonly seconds: number;
}

const run = promisify(execFile);
const shape = { folders: 86, filesEach: 14, bytes: 4_096 };
/** sshfs closes files a moment after the programs that wrote them. */
const settlingMs = 1_500;

/** Packs 1 290 folders and files of a few KiB. */
export async function packTree(folder: string): Promise<string> {
  for (let index = 0; index < shape.folders; index += 1) {
    const within = join(folder, 'tree', `folder-${index}`);
    await mkdir(within, { recursive: true });
    for (let file = 0; file < shape.filesEach; file += 1) {
      await writeFile(join(within, `file-${file}.txt`), `${index} ${file}\n`.repeat(shape.bytes / 8));
    }
  }
  await run('tar', ['-cf', join(folder, 'tree.tar'), '-C', folder, 'tree']);
  return folder;
}

/** Runs tar, diff, git and rm over sshfs, one after the other. */
export async function measurePrograms(
  { port, user, identityFile, folder }: SshfsServer,
  { packed, mounted }: { readonly packed: string; readonly mounted: string },
): Promise<ProgramTime[]> {
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', `IdentityFile=${identityFile}`];
  const source = `${user}@127.0.0.1:${folder}`;
  await run('sshfs', ['-F', '/dev/null', '-p', `${port}`, ...options.flatMap((o) => ['-o', o]), source, mounted]);
  const git = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
  const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
    'tar xf of 1 290 entries': ['tar', '-xf', join(packed, 'tree.tar'), '-C', mounted],
    'diff -r with the original': ['diff', '-r', join(packed, 'tree'), join(mounted, 'tree')],
    'git init, add and commit': [
      'sh',
      '-c',
      `cd "$0" && git init -q . && git add . && git ${git.join(' ')} commit -qm all`,
    ],
    'rm -rf': ['rm', '-rf', join(mounted, 'tree')],
  };
  const times: ProgramTime[] = [];
  try {
    for (const [program, [command, ...args]] of Object.entries(programs)) {
      const startedAt = performance.now();
      await run(command, command === 'sh' ? [...args, join(mounted, 'tree')] : args, { timeout: 300_000 });
      times.push({ program, seconds: (performance.now() - startedAt) / 1_000 });
      await delay(settlingMs);
    }
  } finally {
    await run('fusermount3', ['-u', '-z', mounted]);
  }
  return times;
}
