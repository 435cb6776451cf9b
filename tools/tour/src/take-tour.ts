import { Refusal } from '@waybill/private-datastores/refusal';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { collectInvoice } from './collect-invoice.ts';
import { deliverInvoice } from './deliver-invoice.ts';
import { endSession } from './end-session.ts';
import type { Itinerary } from './itinerary.ts';
import { logInAsAdmin } from './log-in-as-admin.ts';
import type { Narrator } from './narrator.ts';
import { readRecord } from './read-record.ts';
import { submitReport } from './submit-report.ts';

/** Runs the README's tour from its first to its last step; rejects at the first that fails. */
export async function takeTour(itinerary: Itinerary, narrator: Narrator): Promise<void> {
  const { http, admin: adminAddress, audit, gateway, sftp, keyFile, peers, passwords } = itinerary;
  for (const address of new Set([http, adminAddress, audit, gateway])) await verifyAnswers(address);
  const acme = createHttpClient(http);

  const delivery = await deliverInvoice({ acme, sftp, keyFile, passwords }, narrator);
  await collectInvoice({ acme, delivery }, narrator);
  const admin = await logInAsAdmin(itinerary, narrator);
  await readRecord({ admin, delivery }, narrator);
  await endSession({ admin, sftp, peers, passwords }, narrator);
  await submitReport({ admin, acme }, narrator);
}

const patienceMs = 10_000;

/** Checks before the tour that the address responds, with any status. @throws Refusal if it does not */
async function verifyAnswers(http: string): Promise<void> {
  try {
    await fetch(http, { signal: AbortSignal.timeout(patienceMs) });
  } catch {
    throw new Refusal(
      `Nothing answers at ${http}: start Waybill with \`npm start\` in another terminal, or name its address with --http.`,
    );
  }
}
