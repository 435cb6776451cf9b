import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { createTestFolder } from '../create-test-folder.ts';
import type { Pair } from '../tls/create-tls-files.ts';
import { waitFor } from '../wait-for.ts';

/** A message as rsyslog has parsed it. */
export interface RsyslogMessage {
  readonly priority: string;
  readonly hostName: string;
  readonly appName: string;
  readonly msgId: string;
  readonly structuredData: string;
  readonly text: string;
}

/** A running rsyslog. */
export interface Rsyslog extends AsyncDisposable {
  readonly port: number;
  /** What it has stored. */
  messages(): Promise<RsyslogMessage[]>;
}

const program = '/usr/sbin/rsyslogd';
/** Depends on the package of rsyslog itself. */
const packageName = 'rsyslog-gnutls';
const separator = '\t';
const fields = ['pri', 'hostname', 'app-name', 'msgid', 'structured-data', 'msg'].map((name) => `%${name}%`);

/** Starts rsyslog with TCP, or with TLS if it gets a certificate, on the loopback interface. @throws Refusal */
export async function startRsyslog(tls?: Pair): Promise<Rsyslog> {
  await ensureProgram({
    what: 'rsyslog',
    packages: [packageName],
    service: 'rsyslog',
    find: () => existsSync(program) || undefined,
  });
  await using started = new AsyncDisposableStack();
  const folder = started.use(await createTestFolder());
  const inFolder = (name: string): string => join(folder.path, name);
  if (tls) await Promise.all([writeFile(inFolder('cert.pem'), tls.cert), writeFile(inFolder('key.pem'), tls.key)]);
  const driver = [
    `defaultNetstreamDriver="gtls" defaultNetstreamDriverCAFile="${inFolder('cert.pem')}"`,
    `defaultNetstreamDriverCertFile="${inFolder('cert.pem')}" defaultNetstreamDriverKeyFile="${inFolder('key.pem')}"`,
  ].join(' ');
  const mode = 'streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon"';
  const configuration = `
    global(workDirectory="${folder.path}" maxMessageSize="64k" ${tls ? driver : ''})
    module(load="imtcp" ${tls ? mode : ''})
    input(type="imtcp" address="127.0.0.1" port="0" listenPortFileName="${inFolder('port')}")
    template(name="all" type="string" string="${fields.join(separator)}\\n")
    action(type="omfile" file="${inFolder('messages')}" template="all")
  `;
  await writeFile(inFolder('rsyslog.conf'), configuration);
  const args = ['-n', '-f', inFolder('rsyslog.conf'), '-i', inFolder('pid')];
  const child = spawn(program, args, { stdio: 'ignore' });
  started.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const port = await waitFor(async () => Number(await readFile(inFolder('port'), 'utf8')), {
    what: 'rsyslog to listen',
  });
  const resources = started.move();
  return {
    port,
    messages: async () => {
      const text = await readFile(inFolder('messages'), 'utf8').catch(() => '');
      // rsyslog reports its own start.
      return text
        .split('\n')
        .flatMap((line) => (line.includes(`${separator}waybill${separator}`) ? [parse(line)] : []));
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function parse(line: string): RsyslogMessage {
  const [priority = '', hostName = '', appName = '', msgId = '', structuredData = '', ...text] = line.split(separator);
  return { priority, hostName, appName, msgId, structuredData, text: text.join(separator) };
}
