import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { freePort } from '@waybill/private-datastores/free-port';
import { createTestFolder } from '../create-test-folder.ts';
import { startServer } from '../processes/start-server.ts';

/** An FTP server with TLS. */
export interface Proftpd extends AsyncDisposable {
  readonly port: number;
  readonly userName: string;
  readonly password: string;
  /** A folder that can be written to. Paths of the server are those of the machine. */
  readonly folder: string;
  /** Its certificate for `localhost`, which signs itself, as PEM, and its SHA-256. */
  readonly certificate: string;
  readonly fingerprint: string;
  /** Ends all connections, as a router that forgets them. */
  cut(): void;
  /** Stops in the middle of all connections, until it is let go. */
  hold(): void;
  letGo(): void;
}

/** How it is started. */
export interface ProftpdOptions {
  /** TLS from the first byte. */
  readonly implicit?: boolean;
  /** The speed of each transfer. */
  readonly kibibytesPerSecond?: number;
}

const program = '/usr/sbin/proftpd';
const openssl = 'openssl';
const password = 'password-of-the-ftp-user';

/**
 * Starts ProFTPD on a free port of the loopback interface, with TLS required for control and data. Its data connections need the
 * TLS session of the control connection. With Debian's packages where these may be installed. @throws Refusal
 */
export async function startProftpd(options: ProftpdOptions = {}): Promise<Proftpd> {
  await ensureProgram({
    what: 'ProFTPD',
    packages: ['proftpd-core', 'proftpd-mod-crypto'],
    service: 'proftpd',
    find: () => ['/usr/lib/proftpd/mod_tls.so', program].every((file) => existsSync(file)) || undefined,
  });
  await using started = new AsyncDisposableStack();
  const folder = started.use(await createTestFolder());
  const at = (name: string): string => join(folder.path, name);
  const files = at('files');
  await mkdir(files);
  await chmod(folder.path, 0o755);
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync(openssl, [...request, ...names, '-keyout', at('key.pem'), '-out', at('cert.pem')], { stdio: 'ignore' });
  const shown = execFileSync(openssl, ['x509', '-in', at('cert.pem'), '-noout', '-fingerprint', '-sha256']).toString();
  const hash = execFileSync(openssl, ['passwd', '-6', '-stdin'], { input: `${password}\n` })
    .toString()
    .trim();
  const { uid, gid } = userInfo();
  const userName = 'partner';
  await writeFile(at('passwd'), `${userName}:${hash}:${uid}:${gid}::${files}:/bin/sh\n`, { mode: 0o600 });
  const port = await freePort();
  await writeFile(at('proftpd.conf'), configurationOf({ at, port, ...options }));
  const args = ['--nodaemon', '--quiet', '-c', at('proftpd.conf')];
  const server = started.use(await startServer({ file: program, args, port }));
  const certificate = await readFile(at('cert.pem'), 'utf8');
  const resources = started.move();
  return {
    port,
    userName,
    password,
    folder: files,
    certificate,
    fingerprint: shown.split('=')[1]?.trim() ?? '',
    cut: () => server.signalConnections('SIGKILL'),
    hold: () => server.signalConnections('SIGSTOP'),
    letGo: () => server.signalConnections('SIGCONT'),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function configurationOf({
  at,
  port,
  implicit,
  kibibytesPerSecond,
}: ProftpdOptions & { at: (name: string) => string; port: number }) {
  const group = execFileSync('id', ['-gn']).toString().trim();
  return `
ServerType standalone
DefaultAddress 127.0.0.1
Port ${port}
User ${userInfo().username}
Group ${group}
RootLogin on
RequireValidShell off
UseReverseDNS off
AuthOrder mod_auth_file.c
AuthUserFile ${at('passwd')}
PidFile ${at('pid')}
ScoreboardFile ${at('scoreboard')}
SystemLog ${at('log')}
AllowOverwrite on
AllowRetrieveRestart on
AllowStoreRestart on
MaxInstances 50
ModulePath /usr/lib/proftpd
LoadModule mod_tls.c
TLSEngine on
TLSRequired on
TLSProtocol TLSv1.2 TLSv1.3
TLSECCertificateFile ${at('cert.pem')}
TLSECCertificateKeyFile ${at('key.pem')}
TLSLog ${at('tls-log')}
${implicit === true ? 'TLSOptions UseImplicitSSL' : ''}
${kibibytesPerSecond === undefined ? '' : `TransferRate APPE,RETR,STOR ${kibibytesPerSecond}`}
`;
}
