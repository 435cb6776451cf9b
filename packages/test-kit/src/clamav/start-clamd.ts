import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { freePort } from '@waybill/private-datastores/free-port';
import { createTestFolder } from '../create-test-folder.ts';
import { startServer } from '../processes/start-server.ts';

/** The daemon of ClamAV. */
export interface Clamd extends AsyncDisposable {
  readonly port: number;
  /** A text that its database knows as `Waybill-Test-Virus`. */
  readonly virus: Buffer;
}

const program = '/usr/sbin/clamd';

/**
 * Starts one on a free port of the loopback interface, with a database of one signature: the real one is not needed, and takes a
 * minute to load. It refuses streams of more than 5 MB. With Debian's package where that may be installed. @throws Refusal
 */
export async function startClamd(): Promise<Clamd> {
  await ensureProgram({
    what: 'clamd',
    packages: ['clamav-daemon'],
    service: 'clamav-daemon',
    find: () => existsSync(program) || undefined,
  });
  await using started = new AsyncDisposableStack();
  const folder = started.use(await createTestFolder());
  const database = join(folder.path, 'database');
  await mkdir(database);
  await chmod(folder.path, 0o755);
  const virus = Buffer.from('This text is a virus for tests, and nothing else: 4f1a\n');
  const hash = createHash('sha256').update(virus).digest('hex');
  await writeFile(join(database, 'test.hsb'), `${hash}:${virus.length}:Waybill-Test-Virus:73\n`);
  const port = await freePort();
  const configuration = join(folder.path, 'clamd.conf');
  const lines = [
    `DatabaseDirectory ${database}`,
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    'Foreground yes',
    'StreamMaxLength 5M',
    'MaxThreads 4',
    'SelfCheck 0',
    `TemporaryDirectory ${folder.path}`,
  ];
  await writeFile(configuration, `${lines.join('\n')}\n`);
  started.use(await startServer({ file: program, args: ['--config-file', configuration], port, kill: true }));
  const resources = started.move();
  return { port, virus, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
