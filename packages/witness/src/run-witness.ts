import { followValue } from '@waybill/service-kit/follow-value';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createWitness } from './create-witness.ts';
import { readKnownLogs } from './known-logs.ts';
import { serveWitness } from './serve-witness.ts';
import { openWitnessKey } from './witness-key.ts';
import { openWitnessState } from './witness-state.ts';

/** The settings of a witness. */
export interface WitnessOptions {
  readonly name: string;
  readonly keyFile: string;
  readonly logsFile: string;
  readonly stateFile: string;
  readonly host: string;
  readonly port: number;
  readonly logLevel?: 'info' | 'fatal';
}

/** A running witness. */
export interface RunningWitness extends AsyncDisposable {
  readonly port: number;
  readonly verifierKey: string;
}

/** How often the file of known logs is read. */
const reloadMs = 10_000;

/**
 * Starts a witness. Changes of the file of known logs are used without a restart.
 * @throws Error with a sentence that names the file that is not as it must be
 */
export async function runWitness(options: WitnessOptions): Promise<RunningWitness> {
  await using resources = new AsyncDisposableStack();
  const logger = createLogger({ service: 'witness', level: options.logLevel ?? 'info' });
  const key = await openWitnessKey(options.keyFile, options.name);
  const logs = resources.use(
    await followValue({
      read: () => readKnownLogs(options.logsFile),
      isSame: (one, other) => describe(one) === describe(other),
      use: (known) => logger.info({ origins: [...known.keys()] }, 'these logs are cosigned'),
      refused: (err) => logger.error({ err }, 'the changed file of logs is not used'),
      intervalMs: reloadMs,
    }),
  );
  const state = await openWitnessState(options.stateFile);
  const witness = createWitness({
    key,
    state,
    logs: () => logs.current,
    onCosigned: (origin, size) => logger.info({ origin, size }, 'checkpoint cosigned'),
    onMisbehavior: (found) => logger.error(found, 'A LOG DOES NOT CONTINUE WHAT WAS COSIGNED: keep both checkpoints'),
  });
  const onFailure = (err: unknown) => logger.error({ err }, 'a checkpoint could not be stored');
  const server = resources.use(await serveWitness(witness, { host: options.host, port: options.port, onFailure }));
  const owned = resources.move();
  return {
    port: server.port,
    verifierKey: key.verifierKey,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function describe(logs: Awaited<ReturnType<typeof readKnownLogs>>): string {
  return JSON.stringify([...logs].map(([origin, keys]) => [origin, keys.map(({ name, id }) => [name, id])]));
}
