import { Refusal } from '@waybill/private-datastores/refusal';
import { ensureClients } from '@waybill/test-kit/ensure-clients';
import { readItinerary } from './itinerary.ts';
import { createNarrator } from './narrator.ts';
import { takeTour } from './take-tour.ts';

// `npm run tour`: everything that the README shows, against a platform that is up.
const narrator = createNarrator((line) => console.log(line));
try {
  const itinerary = readItinerary(process.argv.slice(2), process.env);
  await ensureClients((line) => console.log(line));
  await takeTour(itinerary, narrator);
  console.log(`\n${narrator.stepsDone()} steps, all successful.`);
} catch (err) {
  if (err instanceof Refusal) console.error(err.message);
  else console.error(`\nThe tour ends here: ${err instanceof Error ? err.message : String(err)}`);
  process.exitCode = 1;
}
