import path from 'node:path';
import { type OwnedProcess, startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import type { Environment } from '../configuration/database-logins.ts';
import type { PlatformFolder } from '../configuration/platform-folder.ts';
import type { ServiceName } from '../configuration/service-name.ts';

/** One service as a separate process. */
export interface ServiceProcess {
  /** The repository. */
  root: string;
  name: ServiceName;
  environment: Environment;
  folder: PlatformFolder;
}

/** Longer than the services' SHUTDOWN_TIMEOUT_SECONDS, so that they give up first. */
const patienceMs = 25_000;

/** Starts a service from its source; its log lines are appended to `.waybill/logs/<name>.log`. */
export function startService({ root, name, environment, folder }: ServiceProcess): Promise<OwnedProcess> {
  return startOwnedProcess({
    command: [process.execPath, path.join('services', name, 'src', 'main.ts')],
    cwd: root,
    env: { ...process.env, ...environment },
    logFile: folder.log(name),
    pidFile: folder.pid(name),
    stopSignal: 'SIGTERM',
    patienceMs,
  });
}
