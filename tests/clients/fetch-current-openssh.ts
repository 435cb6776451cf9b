import { existsSync, globSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findProgram } from '@waybill/private-datastores/find-program';
import { runClient } from './run-client.ts';

/** OpenSSH's client as it is now, beside the machine's own. */
export interface CurrentOpenssh {
  readonly version: string;
  /** Runs its `ssh`; to be given to the machine's `sftp` as `-S`. */
  readonly program: string;
  /** The `ssh` that this runs. */
  readonly binary: string;
}

const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const timeoutMs = 120_000;

/**
 * Brings the client of Debian's development release, which follows OpenSSH closely, into a folder: unpacked with the
 * libraries it was built for, and not installed.
 * @throws Error that says why it cannot be had on this machine
 */
export async function fetchCurrentOpenssh(folder: string): Promise<CurrentOpenssh> {
  for (const program of ['apt-get', 'dpkg-deb']) {
    if (findProgram(program) === undefined) throw new Error(`there is no ${program}`);
  }
  const env = { APT_CONFIG: await prepareApt(folder, await findMirror()) };
  await runClient(['apt-get', 'update', '-qq'], { env, timeoutMs });
  const download = ['--download-only', '--no-install-recommends', '-y', '-qq'];
  await runClient(['apt-get', 'install', ...download, 'openssh-client'], { env, timeoutMs });

  const root = join(folder, 'root');
  const packages = globSync(join(folder, 'cache/archives/*.deb'));
  for (const file of packages) await runClient(['dpkg-deb', '-x', file, root]);
  const [loader] = globSync(join(root, 'usr/lib/*/ld-linux*.so.*'));
  if (loader === undefined) throw new Error('the packages have no loader for programs');
  const binary = join(root, 'usr/bin/ssh');
  const program = join(folder, 'ssh');
  await writeFile(program, `#!/bin/sh\nexec '${loader}' --library-path '${dirname(loader)}' '${binary}' "$@"\n`);
  await chmod(program, 0o755);
  const said = await runClient(['/bin/sh', '-c', '"$0" -V 2>&1', program]);
  return { version: /OpenSSH_(\S+)/.exec(said)?.[1] ?? said, program, binary };
}

/** Where this machine has its own packages from. */
async function findMirror(): Promise<string> {
  const format = '$(ORIGIN) $(LABEL) $(REPO_URI)';
  const known = await runClient(['apt-get', 'indextargets', '--format', format, 'Created-By: Packages']);
  const mirror = /^Debian Debian (\S+)$/m.exec(known)?.[1];
  if (mirror === undefined) throw new Error('apt-get knows of no mirror of Debian');
  return mirror;
}

/** Keeps all that apt-get does in the folder; answers the file that tells it so. */
async function prepareApt(folder: string, mirror: string): Promise<string> {
  const [lists, archives] = [join(folder, 'state/lists/partial'), join(folder, 'cache/archives/partial')];
  await Promise.all([lists, archives].map((path) => mkdir(path, { recursive: true })));
  const options = existsSync(keyring) ? `[signed-by=${keyring}] ` : '';
  await writeFile(join(folder, 'sources.list'), `deb ${options}${mirror} unstable main\n`);
  // As if nothing were installed: all that it needs is brought along.
  await writeFile(join(folder, 'status'), '');
  const settings = {
    'Dir::State': join(folder, 'state'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::Etc::preferencesparts': '-',
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Debug::NoLocking': 'true',
  };
  const file = join(folder, 'apt.conf');
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  );
  return file;
}
