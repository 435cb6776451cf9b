import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { compose, composeWith, drill, inService, openPlatform, repository, run } from './composed-platform.ts';

// Searches what others may see for secrets: the layers and the history of an image that is built where secrets lie around, then
// what Docker, the process lists, the logs and the metrics show of a platform that is up. Exit code 1 when one of them shows. Needs
// Docker; takes about three minutes. node tests/compose/planted-secrets.ts
const canary = 'planted-canary-7f3b';
const image = 'waybill:planted-secrets';
/** Prints the metrics of a container. */
const metricsOf = `for port in 8404 9081 9082 9083 9084 9086; do
  (exec 3<>/dev/tcp/127.0.0.1/$port && printf 'GET /metrics HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3) 2>/dev/null; done; true`;
let failures = 0;
const folder = await mkdtemp(join(tmpdir(), 'waybill-planted-'));
try {
  await searchImage();
  await searchPlatform();
} finally {
  await compose('down', '-v');
  await run('docker', ['rmi', '-f', image]);
  await rm(folder, { recursive: true });
}
say(failures === 0 ? 'No secret shows.' : `${failures} places show a secret`);
process.exitCode = failures === 0 ? 0 : 1;

/** Builds an image in a copy of the repository that has secrets wherever an operator or a developer may put them. */
async function searchImage(): Promise<void> {
  const sources = join(folder, 'sources');
  const tracked = (await run('git', ['ls-files', '-z'])).split('\0').filter((name) => name !== '');
  for (const name of tracked) await cp(join(repository, name), join(sources, name));
  const planted = [
    '.env',
    'cert.pem',
    'packages/.env',
    'services/http-files/.env',
    'packages/access/key.pem',
    'deploy/.env',
  ];
  for (const name of planted) await writeFile(join(sources, name), `SECRET=${canary}\n`);
  const environment = { ADMIN_PASSWORD: canary, WAYBILL_DATABASE_PASSWORD: canary, AWS_SECRET_ACCESS_KEY: canary };
  await run('docker', ['build', '-q', '-t', image, '-f', join(sources, 'deploy/Dockerfile'), sources], { environment });
  const layers = join(folder, 'layers');
  const script = `mkdir -p "$0" && docker save "$1" | tar -C "$0" -xf - && cd "$0" && for f in $(find . -type f); do
    if tar -tf "$f" >/dev/null 2>&1; then tar -xOf "$f" | grep -aq "$2" && echo "$f"; else grep -aq "$2" "$f" && echo "$f"; fi; done; true`;
  const search = async (text: string): Promise<string[]> =>
    (await run('bash', ['-c', script, layers, image, text])).split('\n').filter((line) => line !== '');
  // What is there is found: otherwise the search is worth nothing.
  if ((await search('runCommandLine')).length === 0) throw new Error('the sources were not found in the image');
  const found = await search(canary);
  const count = (await readdir(layers, { recursive: true })).length;
  report(`${count} files of the saved image`, found);
  const history = await run('docker', ['history', '--no-trunc', image]);
  report('the history of the image', history.includes(canary) ? ['history'] : []);
  const inspected = await run('docker', ['inspect', image]);
  report('docker inspect of the image', inspected.includes(canary) ? ['inspect'] : []);
}

/** Starts a platform whose administrator's password is given as the production page says, and uses it. */
async function searchPlatform(): Promise<void> {
  const environment = { ADMIN_PASSWORD: `${canary}-admin` };
  await compose('down', '-v');
  await composeWith(environment, 'run', '--rm', '--no-deps', '-T', 'prepare');
  await compose('up', '-d');
  const { partner, administrators, login, tokens } = await openPlatform();
  await partner();
  const wrong = `${canary}-wrong`;
  await administrators.post('/platform-application/api/v1/auth/login', {
    json: { username: 'admin', password: wrong },
  });
  const stranger = createHttpClient(`https://127.0.0.1:${drill.WAYBILL_PARTNER_PORT}`);
  await stranger.post('/2.0/login/basic', { form: { username: 'globex', password: wrong } });
  await runSftp({ ...login, password: wrong, commands: ['ls'] });
  await runSftp({ ...login, commands: ['ls'] });

  const names = (await inService('prepare', 'ls', '/var/lib/waybill/prepare/kept')).trim().split('\n');
  const secrets = new Map([
    ['an access token', tokens.accessToken],
    ['a refresh token', tokens.refreshToken],
    ['a planted password', canary],
  ]);
  for (const name of names) {
    secrets.set(name, (await inService('prepare', 'cat', `/var/lib/waybill/prepare/kept/${name}`)).trim());
  }
  say(`${secrets.size} secrets: ${[...secrets.keys()].join(', ')}`);
  const ids = (await compose('ps', '-q')).trim().split('\n');
  const places = new Map([
    [`docker inspect of ${ids.length} containers`, await run('docker', ['inspect', ...ids])],
    ['the logs of all containers', await compose('logs', '--no-color')],
    ['the configuration that docker-compose shows', await compose('config')],
    ['the process list of the machine', await run('ps', ['-eo', 'args'])],
    ['environments of processes in containers', await inContainers(ids, 'cat /proc/[0-9]*/environ 2>/dev/null; true')],
    ['metrics', await inContainers(ids, metricsOf)],
  ]);
  for (const [place, shown] of places) {
    const found = [...secrets].filter(([, value]) => shown.includes(value)).map(([name]) => name);
    report(`${place} (${shown.length} characters)`, found);
  }
}

async function inContainers(ids: readonly string[], script: string): Promise<string> {
  const outputs: string[] = [];
  for (const id of ids) {
    const isRunning = (await run('docker', ['inspect', '-f', '{{.State.Running}}', id])).trim() === 'true';
    if (isRunning) outputs.push(await run('docker', ['exec', id, 'bash', '-c', script]));
  }
  return outputs.join('\n');
}

function report(place: string, found: readonly string[]): void {
  if (found.length > 0) failures += 1;
  say(`${place}: ${found.length === 0 ? 'nothing' : `SHOWS ${found.join(', ')}`}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
