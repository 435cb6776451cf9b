/** The measurements of this room, by the first argument; the others are theirs. */
const programs = {
  chaos: () => import('./measure-chaos.ts'),
  'dead-partner': () => import('./measure-dead-partner.ts'),
  backlog: () => import('./measure-backlog.ts'),
  'long-run': () => import('./measure-long-run.ts'),
} as const;

const [name] = process.argv.splice(2, 1);
const program = Object.entries(programs).find(([known]) => known === name)?.[1];
if (program) await program();
else {
  process.stderr.write(`Say what to measure: npm run bench:reliability -- ${Object.keys(programs).join('|')}\n`);
  process.exitCode = 1;
}
