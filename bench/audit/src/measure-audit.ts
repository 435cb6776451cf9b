/** What is measured, by the first argument; the others are its own. */
const programs = {
  append: () => import('./append/measure-append.ts'),
  visibility: () => import('./append/measure-visibility.ts'),
  listing: () => import('./reading/measure-listing.ts'),
  log: () => import('./reading/measure-log.ts'),
} as const;

const [given = 'append'] = process.argv.splice(2, 1);
const program = Object.entries(programs).find(([name]) => name === given)?.[1];
if (program) await program();
else {
  process.stderr.write(`Say what to measure: npm run bench:audit -- ${Object.keys(programs).join('|')}\n`);
  process.exitCode = 1;
}
