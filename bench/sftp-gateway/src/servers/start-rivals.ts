import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchServer } from './bench-server.ts';
import type { LoginKey } from './create-login-key.ts';
import { startGateway, type BenchGateway } from './start-gateway.ts';
import { startOpensshServer } from './start-openssh-server.ts';

/** Both sides of the comparison. */
export interface StartedRivals extends AsyncDisposable {
  readonly ours: BenchGateway;
  readonly theirs: BenchServer;
}

/** Starts both servers, which have not served any client yet. */
export async function startRivals(
  folder: string,
  key: LoginKey,
  env: Readonly<Record<string, string | undefined>>,
): Promise<StartedRivals> {
  await using starting = new AsyncDisposableStack();
  await mkdir(join(folder, 'openssh'), { recursive: true });
  const theirs = starting.use(await startOpensshServer(join(folder, 'openssh'), key));
  const ours = starting.use(await startGateway(join(folder, 'waybill'), key, env));
  const resources = starting.move();
  return { ours, theirs, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
