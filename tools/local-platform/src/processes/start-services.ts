import type { OwnedProcess } from '@waybill/private-datastores/start-owned-process';
import type { Environment } from '../configuration/database-logins.ts';
import type { PlatformFolder } from '../configuration/platform-folder.ts';
import type { ServiceName } from '../configuration/service-name.ts';
import { keepRunning } from './keep-running.ts';
import { lastWords, logEnd } from './last-words.ts';
import { startService } from './start-service.ts';
import { waitUntilReady } from './wait-until-ready.ts';

/** What starting the services needs. */
export interface ServicesContext {
  /** The repository. */
  root: string;
  folder: PlatformFolder;
  names: readonly ServiceName[];
  environments: Readonly<Record<ServiceName, Environment>>;
  servicePorts: Readonly<Record<ServiceName, number>>;
  resources: AsyncDisposableStack;
  signal: AbortSignal;
  report(line: string): void;
}

/**
 * Starts services in parallel, resolves when all are ready, and keeps them running; they stop in parallel too. If one
 * cannot be started none is left running.
 */
export async function startServices(context: ServicesContext): Promise<void> {
  const { names, resources, report } = context;
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const started: AsyncDisposable[] = [];
  resources.defer(async () => {
    await Promise.all(started.map((service) => service[Symbol.asyncDispose]()));
  });
  const starts = names.map(async (name) => {
    try {
      const start = () => startReadyService(name, { ...context, signal });
      started.push(await keepRunning({ name, start, report }));
    } catch (err) {
      failed.abort(err);
    }
  });
  await Promise.all(starts);
  failed.signal.throwIfAborted();
}

async function startReadyService(name: ServiceName, context: ServicesContext): Promise<OwnedProcess> {
  const { root, folder, environments, servicePorts, signal } = context;
  const log = folder.log(name);
  const start = await logEnd(log);
  const service = await startService({ root, name, environment: environments[name], folder });
  try {
    await waitUntilReady({ name, port: servicePorts[name], ended: service.exited }, signal);
    return service;
  } catch (err) {
    await service.stop();
    signal.throwIfAborted();
    const words = [err instanceof Error ? err.message : String(err), await lastWords(log, { name, start })];
    throw new Error(`${words.filter((each) => each !== undefined).join(': ')} (its log: ${log})`, { cause: err });
  }
}
