import { createClient, type PlatformClient } from '@waybill/platform-client/create-client';
import { accessToken } from '@waybill/platform-client/credentials/credentials';
import { type Answer, startScriptedServer } from './scripted-server.ts';

/** Repetitions without the pauses that people would notice. */
export const repetition = { attempts: 4, firstDelayMs: 1, longestDelayMs: 1_500 };

/** Calls with a client against a server with these answers; gives the number of requests, and what came of the call. */
export async function against(
  answers: readonly Answer[],
  run: (client: PlatformClient) => Promise<unknown>,
): Promise<readonly [requests: number, outcome: unknown]> {
  await using server = await startScriptedServer(answers);
  await using client = createClient({ url: server.url, credentials: accessToken('t'), repetition, timeoutMs: 500 });
  const outcome = await run(client).then(
    (result) => (result as { status: number }).status,
    (error: unknown) => (error as { code: string }).code,
  );
  return [server.requests.length, outcome];
}
