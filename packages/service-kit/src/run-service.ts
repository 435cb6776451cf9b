import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { z } from 'zod';
import { loadConfig } from './config/load-config.ts';
import type { serviceConfigShape } from './config/service-config.ts';
import { createHealth, type Health } from './telemetry/health.ts';
import { createLogger, type Logger } from './telemetry/logger.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';
import { startWatchdog } from './watchdog/start-watchdog.ts';

/** The context of a composition root. Its `resources` are released in reverse order at the stop. */
export interface ServiceContext<C> {
  config: C;
  logger: Logger;
  metrics: Metrics;
  health: Health;
  resources: AsyncDisposableStack;
  /** What `config` was read from, for settings that are read again; absent where there are none. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** The parent process, which has started this process as one of several and decides when it stops. */
export interface Supervisor {
  /** The number of this process. */
  readonly processNumber: number;
  /** Registers a callback for the stop of this process. */
  onStop(stop: () => void): void;
  /** Reports why this process could not start. */
  startFailed(reason: string): Promise<void>;
}

type ServiceConfigSchema = z.ZodObject<typeof serviceConfigShape>;

/** A service as `main` hands it over. */
export interface ServiceDefinition<S extends ServiceConfigSchema> {
  name: string;
  configSchema: S;
  env: Readonly<Record<string, string | undefined>>;
  /** Absent if the process has no supervisor. */
  supervisor?: Supervisor | undefined;
  start(context: ServiceContext<z.infer<S>>): Promise<void>;
}

/**
 * Runs a service until SIGTERM or SIGINT, then releases its resources and lets the process end. An invalid
 * configuration or a failed start is reported in one sentence on standard error, with exit code 1. After
 * SHUTDOWN_TIMEOUT_SECONDS, or at a second signal, the process exits anyway. With DRAIN_SECONDS it first continues to
 * serve for this time while it reports not ready, so that load balancers send their requests elsewhere. An interrupted
 * start is abandoned, which is not a failure. A process whose event loop is blocked for WATCHDOG_SECONDS is ended. A
 * process with a supervisor receives signals and reports failed starts through the supervisor only.
 */
export async function runService<S extends ServiceConfigSchema>(definition: ServiceDefinition<S>): Promise<void> {
  const { name, configSchema, env, supervisor, start } = definition;
  let config: z.infer<S>;
  try {
    config = loadConfig(configSchema, env);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const { LOG_LEVEL: level, SHUTDOWN_TIMEOUT_SECONDS: timeoutSeconds, DRAIN_SECONDS: drainSeconds } = config;
  const identity = { service: name, ...(supervisor && { processNumber: supervisor.processNumber }) };
  const logger = createLogger({ ...identity, level });
  startWatchdog({ ...identity, stallMs: config.WATCHDOG_SECONDS * 1_000, logger });
  const health = createHealth();
  const resources = new AsyncDisposableStack();
  const starting = Promise.withResolvers<void>();
  const stopping = new AbortController();
  // The supervisor drains before it stops its processes.
  const drainMs = supervisor ? 0 : drainSeconds * 1_000;
  const times = { drainMs, timeoutMs: timeoutSeconds * 1_000 };
  const parts = { ...times, logger, health, resources, stopping, starting: starting.promise, isStarted: false };
  const stop = stopOnce(parts);
  hearStop(stop, supervisor);
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    process.exitCode = 1;
    stop('unhandledRejection');
  });
  try {
    await start({ config, logger, metrics: createMetrics(name), health, resources, env });
    parts.isStarted = true;
    logger.info('started');
  } catch (error) {
    if (stopping.signal.aborted) {
      // Its resources were released.
      logger.info({ err: error }, 'the start was interrupted');
      return;
    }
    logger.fatal({ err: error }, 'start failed');
    const reason = error instanceof Error ? error.message : String(error);
    if (supervisor) await supervisor.startFailed(reason);
    else process.stderr.write(`${name}: could not start: ${reason}\n`);
    process.exitCode = 1;
    stop('failed start');
  } finally {
    starting.resolve();
  }
}

function hearStop(stop: (reason: string) => void, supervisor: Supervisor | undefined): void {
  const signals = ['SIGTERM', 'SIGINT'] as const;
  if (supervisor === undefined) {
    for (const signal of signals) process.once(signal, () => stop(signal));
    return;
  }
  // A terminal or a service manager may signal the whole process group: only the supervisor's message is obeyed.
  for (const signal of signals) process.on(signal, () => {});
  supervisor.onStop(() => stop('supervisor'));
}

interface Stoppable {
  readonly logger: Logger;
  readonly health: Health;
  readonly resources: AsyncDisposableStack;
  /** Aborted by the first call. */
  readonly stopping: AbortController;
  /** Resolves when the start has ended, successfully or not. */
  readonly starting: Promise<void>;
  /** Whether requests may have arrived: otherwise there is nothing to drain. */
  readonly isStarted: boolean;
  /** How long the service continues after it reports that it is not ready. */
  readonly drainMs: number;
  readonly timeoutMs: number;
}

function stopOnce(parts: Stoppable): (reason: string) => void {
  const { logger, health, stopping, drainMs } = parts;
  return (reason) => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    const isDrained = drainMs > 0 && parts.isStarted && reason !== 'unhandledRejection';
    logger.info({ reason, ...(isDrained && { drainMs }) }, 'stopping');
    health.markDraining();
    if (isDrained) setTimeout(() => releaseInTime(parts), drainMs);
    else releaseInTime(parts);
  };
}

function releaseInTime({ logger, resources, starting, timeoutMs }: Stoppable): void {
  const deadline = setTimeout(() => {
    logger.error({ timeoutMs }, 'the stop took too long: exiting anyway');
    process.kill(process.pid, 'SIGKILL');
  }, timeoutMs);
  // Resources of an interrupted start do not keep the process alive any longer either.
  void Promise.all([release(resources, logger), starting]).finally(() => deadline.unref());
}

async function release(resources: AsyncDisposableStack, logger: Logger): Promise<void> {
  try {
    await resources.disposeAsync();
    logger.info('stopped');
  } catch (error) {
    logger.error({ err: error }, 'the stop failed');
    process.exitCode = 1;
  }
}
