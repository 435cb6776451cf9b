import { Refusal } from '@waybill/private-datastores/refusal';

const patienceMs = 10_000;

/** Checks before the tour that the address responds, with any status. @throws Refusal if it does not */
export async function verifyAnswers(http: string): Promise<void> {
  try {
    await fetch(http, { signal: AbortSignal.timeout(patienceMs) });
  } catch {
    throw new Refusal(
      `Nothing answers at ${http}: start Waybill with \`npm start\` in another terminal, or name its address with --http.`,
    );
  }
}
