import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { findProgram } from '@waybill/private-datastores/find-program';
import { freePort } from '@waybill/private-datastores/free-port';
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
  const program = await ensureProgram({
    what: 'nginx',
    packages: ['nginx'],
    service: 'nginx',
    find: findNginx,
    report: console.log,
  });
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
