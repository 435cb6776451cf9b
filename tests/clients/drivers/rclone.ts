import { runClient } from '../run-client.ts';
import type { Lack, Login, TransferClient } from '../transfer-client.ts';

const noResume = (direction: string): Lack => ({
  reason: `transfers a file whole; after a cut it ${direction} from the beginning`,
  command: ['rclone', 'help', 'backend', 'sftp'],
  present: /Standard options/,
  absent: /resum|--append/i,
});

/** rclone with its `sftp` backend and no configuration of its own. */
export const rclone: TransferClient = {
  name: 'rclone',
  debianPackage: 'rclone',
  versionCommand: ['rclone', 'version'],
  version: /rclone v(\S+)/,
  lacks: { resumeUpload: noResume('sends it'), resumeDownload: noResume('fetches it') },
  connect: async (login) => {
    const remoteOf = await openRemote(login);
    const run = (...args: string[]) => runRclone(args);
    return {
      upload: async (local, remote) => void (await run('copyto', local, remoteOf(remote))),
      download: async (remote, local) => void (await run('copyto', remoteOf(remote), local)),
      rename: async (from, to) => void (await run('moveto', remoteOf(from), remoteOf(to))),
      makeFolders: async (path) => void (await run('mkdir', remoteOf(path))),
      mirrorUp: async (local, remote) => void (await run('copy', local, remoteOf(remote))),
      mirrorDown: async (remote, local) => void (await run('copy', remoteOf(remote), local)),
      list: async (folder) =>
        (await run('lsf', '--dir-slash=false', remoteOf(folder))).split('\n').filter((line) => line !== ''),
      removeFile: async (path) => void (await run('deletefile', remoteOf(path))),
      removeTree: async (path) => void (await run('purge', remoteOf(path))),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
};

/** Runs rclone without the configuration of whoever runs the tests, and without its own tries again. */
export function runRclone(args: readonly string[]): Promise<string> {
  return runClient(['rclone', '--config', '/dev/null', '--retries', '1', '--low-level-retries', '1', ...args]);
}

/** Gives remote paths the form that rclone takes without a configuration file. */
export async function openRemote({ port, user, password, identityFile }: Login): Promise<(path: string) => string> {
  const secret =
    identityFile === undefined
      ? `pass=${(await runClient(['rclone', 'obscure', password])).trim()}`
      : `key_file=${identityFile}`;
  return (path) => `:sftp,host=127.0.0.1,port=${port},user=${user},${secret}:${path}`;
}
