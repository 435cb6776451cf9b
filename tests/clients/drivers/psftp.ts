import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runClient } from '../run-client.ts';
import type { Lack, Login, TransferClient } from '../transfer-client.ts';

const noTreeRemoval: Lack = {
  reason: '`del` takes files and `rmdir` empty folders; there is no option for all below',
  command: ['psftp', '-h'],
  present: /PuTTY Secure File Transfer/,
  absent: /recursive/,
};

/** PuTTY's `psftp` in batch mode, told the server's host keys beforehand. */
export const psftp: TransferClient = {
  name: 'psftp (PuTTY)',
  debianPackage: 'putty-tools',
  versionCommand: ['psftp', '-V'],
  version: /Release (\S+)/,
  lacks: { removeTree: noTreeRemoval },
  connect: async (login) => {
    const identity = await identityOf(login);
    const run = (...commands: string[]) => runBatch(login, identity, commands);
    return {
      upload: async (local, remote) => void (await run(`put ${quote(local)} ${quote(remote)}`)),
      download: async (remote, local) => void (await run(`get ${quote(remote)} ${quote(local)}`)),
      resumeUpload: async (local, remote) => void (await run(`reput ${quote(local)} ${quote(remote)}`)),
      resumeDownload: async (remote, local) => void (await run(`reget ${quote(remote)} ${quote(local)}`)),
      rename: async (from, to) => void (await run(`mv ${quote(from)} ${quote(to)}`)),
      makeFolders: async (path) => void (await run(...withParents(path).map((folder) => `mkdir ${quote(folder)}`))),
      mirrorUp: async (local, remote) => void (await run(`put -r ${quote(local)} ${quote(remote)}`)),
      mirrorDown: async (remote, local) => void (await run(`get -r ${quote(remote)} ${quote(local)}`)),
      list: async (folder) => (await run(`ls ${quote(folder)}`)).split('\n').flatMap(nameOf),
      removeFile: async (path) => void (await run(`del ${quote(path)}`)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
};

/** PuTTY has a format of its own for private keys. */
async function identityOf({ identityFile, password, folder }: Login): Promise<string[]> {
  if (identityFile === undefined) return ['-pw', password];
  const puttyKey = join(await mkdtemp(join(folder, 'psftp-')), 'key.ppk');
  await runClient(['puttygen', identityFile, '-O', 'private', '-o', puttyKey]);
  return ['-i', puttyKey];
}

async function runBatch(login: Login, identity: readonly string[], commands: readonly string[]): Promise<string> {
  const script = join(await mkdtemp(join(login.folder, 'psftp-')), 'commands');
  await writeFile(script, commands.map((command) => `${command}\n`).join(''));
  const hostKeys = login.hostKeys.flatMap((fingerprint) => ['-hostkey', fingerprint]);
  // A folder that is there already must not end the making of the next one.
  const patience = commands.length > 1 ? ['-be'] : [];
  return await runClient([
    'psftp',
    '-batch',
    '-noagent',
    '-P',
    `${login.port}`,
    '-l',
    login.user,
    ...identity,
    ...hostKeys,
    ...patience,
    '-b',
    script,
    '127.0.0.1',
  ]);
}

/** The name at the end of a line of `ls -l`. */
function nameOf(line: string): string[] {
  const name = /^[-d]\S{9} +\d+ \S+ +\S+ +\d+ \w{3} [ \d]\d (?:\d\d:\d\d| \d{4}) (.+)$/.exec(line)?.[1];
  return name === undefined ? [] : [name];
}

function quote(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}

function withParents(path: string): string[] {
  const segments = path.split('/').slice(1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`);
}
