import { Refusal } from './refusal.js';

/** What can follow the bootstrap: the arguments to Node for each name on the command line. */
/** @type {Readonly<Record<string, string[]>>} */
const stages = {
  start: ['tools/local-platform/src/main.ts'],
  tour: ['tools/tour/src/main.ts'],
  test: ['tools/checks/src/main.ts'],
  'test:clients': ['tools/checks/src/main.ts', 'clients'],
  dev: ['node_modules/turbo/bin/turbo', 'dev'],
  'bench:http-files': ['bench/http-files/src/measure-http-files.ts'],
  'bench:sftp-gateway': ['bench/sftp-gateway/src/main.ts'],
  waybill: ['packages/cli/src/main.ts'],
};

/**
 * @param {string | undefined} name
 * @returns {string[]} the script to run, relative to the repository, and its first arguments
 */
export function stageNamed(name) {
  const stage = Object.entries(stages).find(([known]) => known === name);
  if (stage !== undefined) return stage[1];
  throw new Refusal(`Say what to run: node tools/bootstrap/run.js ${Object.keys(stages).join('|')}`);
}
