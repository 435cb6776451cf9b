import path from 'node:path';
import { Refusal } from './refusal.js';

/** What can follow the bootstrap: the arguments to Node for each name on the command line. */
/** @type {Readonly<Record<string, string[]>>} */
const stages = {
  start: ['tools/local-platform/src/main.ts'],
  tour: ['tools/tour/src/main.ts'],
  test: ['tools/checks/src/main.ts'],
  'test:clients': ['tools/checks/src/main.ts', 'clients'],
  dev: ['node_modules/turbo/bin/turbo', 'dev'],
  'bench:audit': ['bench/audit/src/measure-audit.ts'],
  'bench:http-files': ['bench/http-files/src/measure-http-files.ts'],
  'bench:job-manager': ['bench/job-manager/src/measure-job-manager.ts'],
  'bench:pipeline': ['bench/pipeline/src/measure-pipeline.ts'],
  'bench:sftp-gateway': ['bench/sftp-gateway/src/main.ts'],
  'bundle:client': ['packages/client/src/bundle.ts'],
  'bundle:command-line': ['packages/command-line/src/bundle.ts'],
  waybill: ['packages/cli/src/main.ts'],
};

/**
 * @param {string | undefined} name
 * @param {{ root: string, env: Readonly<Record<string, string | undefined>>, folder: string }} surroundings  the repository, the
 * environment, and the folder of this process
 * @returns {{ args: string[], cwd: string }} the script to run and its first arguments, and the folder to run it in
 */
export function stageNamed(name, { root, env, folder }) {
  const stage = Object.entries(stages).find(([known]) => known === name);
  if (stage !== undefined) {
    const [script = '', ...rest] = stage[1];
    const args = [path.join(root, script), ...rest];
    if (name !== 'waybill') return { args, cwd: root };
    return {
      args: env.DATABASE_URL ? args : [environmentOption(root, env), ...args],
      cwd: folderOfCaller(env, folder),
    };
  }
  throw new Refusal(`Say what to run: node tools/bootstrap/run.js ${Object.keys(stages).join('|')}`);
}

/**
 * Without DATABASE_URL, the command line uses the platform that `npm start` runs here.
 * @type {(root: string, env: Readonly<Record<string, string | undefined>>) => string}
 */
function environmentOption(root, env) {
  return `--env-file-if-exists=${path.resolve(root, env.WAYBILL_DIR || '.waybill', 'environments', 'waybill.env')}`;
}

/**
 * npm runs scripts in the repository, and tells in which folder it was called: there are the files that a command names.
 * @type {(env: Readonly<Record<string, string | undefined>>, folder: string) => string}
 */
function folderOfCaller(env, folder) {
  return (env.npm_lifecycle_event === 'waybill' && env.INIT_CWD) || folder;
}
