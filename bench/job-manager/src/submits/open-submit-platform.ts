import { fileURLToPath } from 'node:url';
import { startApiManager } from '../api/start-api-manager.ts';
import type { SubmitServer } from './submit-load.ts';

/** PostgreSQL with fsync, Redis, and both servers that take submissions. */
export interface SubmitPlatform extends AsyncDisposable {
  readonly postgresPid: number;
  readonly redisPid: number;
  /** A job manager that serves the HTTP interface and runs no jobs. */
  readonly jobManager: SubmitServer;
  readonly bare: SubmitServer;
}

const bareServer = fileURLToPath(new URL('bare-submit-server.ts', import.meta.url));

/** Starts everything in the system's temporary folder (set TMPDIR to choose); everything is removed with it. */
export async function openSubmitPlatform(print: (line: string) => void): Promise<SubmitPlatform> {
  await using opening = new AsyncDisposableStack();
  const { manager, token, postgres, redisPid, keyFile, start } = opening.use(await startApiManager(print, document));
  const bare = await start('bare', bareServer, [postgres.url, keyFile]);
  const resources = opening.move();
  return {
    postgresPid: postgres.pid,
    redisPid,
    jobManager: { ...manager, name: 'Waybill', path: '/job-manager/jobs', token },
    bare: { ...bare, name: 'Express, one row', path: '/jobs', token },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const step = {
  name: 'write',
  uses: 'write-file',
  with: { path: '/${{ variables.name }}.txt', text: '${{ variables.text }}' },
};
const action = { name: 'report', trigger: { type: 'OnDemand' }, vfs: 'bench-files', workflow: 'report' };

const document = {
  workflowTemplates: [{ name: 'report', steps: [step] }],
  actors: [
    {
      name: 'bench',
      type: 'Partner',
      virtualFileSystems: [{ name: 'bench-files' }],
      contracts: [{ name: 'bench', type: 'Mediation', actions: [action] }],
    },
  ],
};
