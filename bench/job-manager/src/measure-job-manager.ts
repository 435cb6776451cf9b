/** What is measured, by the first argument; the others are its own. */
const programs = {
  engines: () => import('./engines/measure-engines.ts'),
  'backlog-cost': () => import('./engines/measure-backlog-cost.ts'),
  files: () => import('./engines/measure-file-jobs.ts'),
  idle: () => import('./engines/measure-idle.ts'),
  submits: () => import('./submits/measure-submits.ts'),
  listing: () => import('./listing/measure-listing.ts'),
  chaos: () => import('./reliability/measure-chaos.ts'),
  'dead-partner': () => import('./reliability/measure-dead-partner.ts'),
  backlog: () => import('./reliability/measure-backlog.ts'),
  'long-run': () => import('./reliability/measure-long-run.ts'),
  configuration: () => import('./configuration/measure-configuration.ts'),
  memory: () => import('./reliability/measure-memory.ts'),
} as const;

const [given = 'engines'] = process.argv.splice(2, 1);
const program = Object.entries(programs).find(([name]) => name === given)?.[1];
if (program) await program();
else {
  process.stderr.write(`Say what to measure: npm run bench:job-manager -- ${Object.keys(programs).join('|')}\n`);
  process.exitCode = 1;
}
