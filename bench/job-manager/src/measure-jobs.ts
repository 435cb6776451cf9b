// `npm run bench:job-manager`: engines side by side, or with `listing`, pages of millions of jobs.
const [what, count = '5000000'] = process.argv.slice(2);

if (what === 'listing') {
  const { measureListing } = await import('./listing/measure-listing.ts');
  await measureListing(Number(count), (line) => {
    process.stdout.write(`${line}\n`);
  });
} else {
  await import('./measure-job-manager.ts');
}
