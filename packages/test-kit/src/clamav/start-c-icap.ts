import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { freePort } from '@waybill/private-datastores/free-port';
import { createTestFolder } from '../create-test-folder.ts';
import { startServer } from '../processes/start-server.ts';

/** The ICAP server c-icap, with the service `avscan`. */
export interface CIcap extends AsyncDisposable {
  readonly port: number;
}

const program = '/usr/bin/c-icap';
const scanner = '/usr/lib/x86_64-linux-gnu/c_icap/virus_scan.so';

/** Starts one that asks this clamd. With Debian's packages where these may be installed. @throws Refusal */
export async function startCIcap(clamdPort: number): Promise<CIcap> {
  await ensureProgram({
    what: 'c-icap',
    packages: ['libc-icap-mod-virus-scan', 'c-icap'],
    service: 'c-icap',
    find: () => (existsSync(program) && existsSync(scanner)) || undefined,
  });
  await using started = new AsyncDisposableStack();
  const folder = started.use(await createTestFolder());
  await chmod(folder.path, 0o755);
  const port = await freePort();
  const lines = [
    `PidFile ${folder.path}/pid`,
    `CommandsSocket ${folder.path}/ctl`,
    `Port 127.0.0.1:${port}`,
    'StartServers 1',
    'MaxServers 2',
    'ThreadsPerChild 4',
    `TmpDir ${folder.path}`,
    'ModulesDir /usr/lib/x86_64-linux-gnu/c_icap',
    'ServicesDir /usr/lib/x86_64-linux-gnu/c_icap',
    'TemplateDir /usr/share/c_icap/templates/',
    'LoadMagicFile /etc/c-icap/c-icap.magic',
    `ServerLog ${folder.path}/server.log`,
    'Module common clamd_mod.so',
    'clamd_mod.ClamdHost 127.0.0.1',
    `clamd_mod.ClamdPort ${clamdPort}`,
    'Service antivirus_module virus_scan.so',
    'ServiceAlias avscan virus_scan?allow204=on&sizelimit=off&mode=simple',
    'virus_scan.DefaultEngine clamd',
    'virus_scan.ScanFileTypes TEXT DATA EXECUTABLE ARCHIVE GIF JPEG MSOFFICE UNKNOWN',
    'virus_scan.MaxObjectSize 5M',
    'Service echo srv_echo.so',
  ];
  const configuration = join(folder.path, 'c-icap.conf');
  await writeFile(configuration, `${lines.join('\n')}\n`);
  started.use(await startServer({ file: program, args: ['-N', '-f', configuration], port, kill: true }));
  const resources = started.move();
  return { port, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
