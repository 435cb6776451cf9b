import { fileURLToPath } from 'node:url';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { Refusal } from '@waybill/private-datastores/refusal';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { configSchema } from './configuration/config.ts';
import { helpAskedFor } from './configuration/read-arguments.ts';
import { withBasePort } from './configuration/with-base-port.ts';
import { withholdVariables } from './configuration/withhold-variables.ts';
import { startPlatform } from './start-platform.ts';
import { welcome } from './welcome.ts';

// `npm start`: the whole platform on this machine, until Ctrl-C.
const root = fileURLToPath(new URL('../../../', import.meta.url));
// The bootstrap passes on its start time: a first start spends most of its time there.
const startedAtMs = Number(process.env['WAYBILL_BOOTSTRAPPED_AT_MS']) || Date.now();
const seconds = (): string => ((Date.now() - startedAtMs) / 1000).toFixed(1);
const report = (line: string): void => console.log(`[${seconds().padStart(6)} s] ${line}`);

const stop = new AbortController();
const stopped = new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve()));
// A terminal sends Ctrl-C to this process and to its parents, which pass it on: later signals are ignored.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
// If the terminal is closed, output fails too; stopping in order matters more.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const resources = new AsyncDisposableStack();
try {
  const help = helpAskedFor(process.argv.slice(2));
  if (help !== undefined) console.log(help);
  else await runPlatform();
} catch (err) {
  if (!stop.signal.aborted) {
    process.exitCode = 1;
    const isExpected = err instanceof Refusal || isCodedError(err);
    console.error(
      `\n${isExpected ? err.message : `Waybill could not start: ${err instanceof Error ? err.message : String(err)}`}`,
    );
  }
} finally {
  if (stop.signal.aborted) report('Stopping');
  await resources.disposeAsync();
  if (stop.signal.aborted) report('Stopped');
}

async function runPlatform(): Promise<void> {
  const config = loadConfig(configSchema, withBasePort(process.env));
  const env = withholdVariables(process.env, { root, config });
  const inForce = await startPlatform({ root, config, env, resources, signal: stop.signal, report });
  console.log(welcome(config, { root, seconds: seconds(), env, inForce }));
  await stopped;
}
