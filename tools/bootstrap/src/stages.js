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
  waybill: ['packages/cli/src/main.ts'],
};

/**
 * @param {string | undefined} name
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string[]} the script to run, relative to the repository, and its first arguments
 */
export function stageNamed(name, env) {
  const stage = Object.entries(stages).find(([known]) => known === name);
  if (stage !== undefined)
    return name === 'waybill' && !env.DATABASE_URL ? [environmentOption(env), ...stage[1]] : stage[1];
  throw new Refusal(`Say what to run: node tools/bootstrap/run.js ${Object.keys(stages).join('|')}`);
}

/**
 * Without DATABASE_URL, the command line uses the platform that `npm start` runs here.
 * @type {(env: Readonly<Record<string, string | undefined>>) => string}
 */
function environmentOption(env) {
  return `--env-file-if-exists=${path.join(env.WAYBILL_DIR || '.waybill', 'environments', 'waybill.env')}`;
}
