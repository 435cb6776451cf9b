import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '@waybill/private-datastores/find-program';
import { freePort } from '@waybill/private-datastores/free-port';
import { installDebianPackage, mayInstallDebianPackages } from '@waybill/private-datastores/install-debian-package';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { waitForHttp } from './wait-for-http.ts';

/** A running nginx owned by this process. */
export interface Nginx extends AsyncDisposable {
  readonly baseUrl: string;
}

/**
 * Starts nginx over a folder, as Debian builds it: sendfile, DAV's PUT and DELETE, no log, all folders that it writes
 * to on one disk, so that storing a body is a rename. Unlike Waybill it hashes nothing, syncs nothing and sends no
 * events.
 */
export async function startNginx(folder: string): Promise<Nginx> {
  const program = await ensureNginx();
  const port = await freePort();
  for (const name of ['files', 'bodies', 'others']) await mkdir(join(folder, name), { recursive: true });
  const configurationFile = join(folder, 'nginx.conf');
  await writeFile(configurationFile, configurationOf(folder, port));
  const server = await startOwnedProcess({
    command: [program, '-p', folder, '-c', configurationFile, '-e', join(folder, 'error.log')],
    logFile: join(folder, 'nginx.log'),
    pidFile: join(folder, 'owned.pid'),
    stopSignal: 'SIGTERM',
    patienceMs: 10_000,
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await waitForHttp(baseUrl);
  return { baseUrl, [Symbol.asyncDispose]: () => server.stop() };
}

async function ensureNginx(): Promise<string> {
  const found = findNginx();
  if (found !== undefined) return found;
  if (mayInstallDebianPackages()) {
    console.log('Installing nginx with apt-get');
    await installDebianPackage('nginx', { service: 'nginx' });
  }
  const installed = findNginx();
  if (installed === undefined) throw new Error('There is no nginx to compare with: install Debian’s package `nginx`');
  return installed;
}

/** Debian installs it outside the PATH of ordinary users. */
function findNginx(): string | undefined {
  return findProgram('nginx') ?? ['/usr/sbin/nginx'].find((file) => existsSync(file));
}

function configurationOf(folder: string, port: number): string {
  const temporary = ['proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/others/${kind};`);
  return `
    daemon off;
    worker_processes auto;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    pid ${folder}/nginx.pid;
    events { worker_connections 1024; }
    http {
      access_log off;
      sendfile on;
      tcp_nopush on;
      client_max_body_size 0;
      client_body_temp_path ${folder}/bodies;
      ${temporary.join('\n')}
      server {
        listen 127.0.0.1:${port};
        root ${folder}/files;
        location / { dav_methods PUT DELETE; }
      }
    }`;
}
