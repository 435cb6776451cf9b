import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { tokenPairSchema } from '@waybill/contracts/endpoints/access/token-pair';
import { createHttpClient, type HttpClient, type HttpResponse } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';

/** The folder of docker-compose.yml. */
export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** A platform that docker-compose runs for a drill, beside any other one. */
export const drill = {
  COMPOSE_PROJECT_NAME: 'waybill-drill',
  WAYBILL_BIND: '127.0.0.1',
  WAYBILL_ADMIN_BIND: '127.0.0.1',
  WAYBILL_EDGE_PORT: '18080',
  WAYBILL_PARTNER_PORT: '18443',
  WAYBILL_ADMIN_PORT: '19443',
  WAYBILL_SFTP_PORT: '12222',
  WAYBILL_SUBNET: '10.203.118',
  // All clients of the drill have one address.
  WAYBILL_REQUEST_RATE: '100000',
} as const;
const sftpPort = Number(drill.WAYBILL_SFTP_PORT);

/** Runs a program in the repository with the settings of the drill; answers what it printed. Throws when it fails. */
export async function run(
  program: string,
  args: readonly string[],
  { showsErrors = false, environment = {} }: { showsErrors?: boolean; environment?: Record<string, string> } = {},
): Promise<string> {
  const child = spawn(program, args, {
    cwd: repository,
    env: { ...process.env, ...drill, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  if (showsErrors) child.stderr.pipe(process.stderr, { end: false });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = (await ended) as [number | null];
  if (exitCode === 0) return out;
  throw new Error(`${program} ${args.join(' ')} ended with ${exitCode}: ${errors.slice(-2_000)}${out.slice(-2_000)}`);
}

/** `docker compose` where there is one, `docker-compose` otherwise. */
export async function compose(...args: readonly string[]): Promise<string> {
  return composeWith({}, ...args);
}

/** The same with further variables in the environment. */
export async function composeWith(environment: Record<string, string>, ...args: readonly string[]): Promise<string> {
  const hasPlugin = await run('docker', ['compose', 'version']).then(
    () => true,
    () => false,
  );
  return hasPlugin
    ? run('docker', ['compose', ...args], { environment })
    : run('docker-compose', args, { environment });
}

/** Runs a command in a new container of a service. */
export async function inService(service: string, ...command: readonly string[]): Promise<string> {
  return compose('run', '--rm', '--no-deps', '-T', service, ...command);
}

/** The platform that is up, as its users see it. */
export interface RunningPlatform {
  /** A client that is logged in as the partner. */
  partner(): Promise<HttpClient>;
  readonly administrators: HttpClient;
  readonly login: { readonly port: number; readonly user: string; readonly password: string };
  readonly tokens: { readonly accessToken: string; readonly refreshToken: string };
}

/** Waits until the platform answers, trusts its certificate and logs in. */
export async function openPlatform(): Promise<RunningPlatform> {
  const secret = (name: string) => inService('setup', 'cat', `/var/lib/waybill/secrets/${name}`);
  const [admin, password] = [(await secret('admin-password')).trim(), (await secret('globex-password')).trim()];
  setDefaultCACertificates([await inService('certificate-keeper', 'cat', '/etc/waybill/tls/cert.pem')]);
  const partners = `https://127.0.0.1:${drill.WAYBILL_PARTNER_PORT}`;
  const administrators = createHttpClient(`https://127.0.0.1:${drill.WAYBILL_ADMIN_PORT}`);
  const json = { username: 'admin', password: admin };
  const tokens = tokenPairSchema.parse(
    (await answerOf(() => administrators.post('/platform-application/api/v1/auth/login', { json }))).json(),
  );
  const partner = async () => {
    const client = createHttpClient(partners);
    await answerOf(() => client.post('/2.0/login/basic', { form: { username: 'globex', password } }));
    return client;
  };
  await partner();
  return { partner, administrators, login: { port: sftpPort, user: 'globex', password }, tokens };
}

/** HAProxy sees a replica a moment after the replica is healthy. */
function answerOf(ask: () => Promise<HttpResponse>): Promise<HttpResponse> {
  const answer = async () => {
    const response = await ask();
    if (response.status !== 200) throw new Error(`answered ${response.status}: ${response.text}`);
    return response;
  };
  return waitFor(answer, { what: 'the platform to answer', timeoutMs: 120_000, intervalMs: 500 });
}
