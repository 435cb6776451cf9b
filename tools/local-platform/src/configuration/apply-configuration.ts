import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '@waybill/private-datastores/refusal';
import type { Config } from './config.ts';
import { environmentOfRemembered, rememberVariables, variablesNamedIn } from './configuration-variables.ts';
import type { Environment } from './database-logins.ts';
import { type PlatformFolder, tourFile } from './platform-folder.ts';
import { readRemembered, type RememberedConfiguration, writeRemembered } from './remembered-configuration.ts';
import type { Waybill } from './start-waybill.ts';

/** What applying the configuration needs. */
export interface ApplyContext {
  /** The repository. */
  root: string;
  config: Pick<Config, 'WAYBILL_CONFIGURATION' | 'WAYBILL_REMOVALS' | 'WAYBILL_EDGE_PORT'>;
  folder: PlatformFolder;
  /** The environment of `npm start`. */
  env: Readonly<Record<string, string | undefined>>;
  /** The environment of the command line. */
  environment: Environment;
  waybill: Pick<Waybill, 'run'>;
  report(line: string): void;
}

/** What is known of the configuration in force. */
export interface ConfigurationInForce {
  /** Undefined if it was applied by a start that stored nothing. */
  remembered: RememberedConfiguration | undefined;
  /** Users whose password is not the one of the configuration. */
  keepers: ReadonlySet<string>;
  /** The file that this start failed to apply: it is then unknown which passwords are in force. */
  rejected?: string;
}

/** The exit code of `waybill apply --without-removals` for a configuration that would remove something. */
const removalsRefused = 3;
const shownChanges = 30;

/**
 * Applies the configuration file of WAYBILL_CONFIGURATION, else the one that was applied last, else the demo's, and
 * prints what changed. Removes nothing unless WAYBILL_REMOVALS allows it. If the file cannot be applied, a platform
 * that has been up before keeps the configuration in force.
 * @throws Refusal if the file cannot be applied and there is no other configuration
 */
export async function applyConfiguration(context: ApplyContext): Promise<ConfigurationInForce> {
  const { root, config, folder, env, environment, waybill, report } = context;
  const remembered = readRemembered(folder.configuration);
  const file = path.resolve(root, config.WAYBILL_CONFIGURATION ?? remembered?.file ?? demoConfiguration);
  const shown = path.relative(root, file).startsWith('..') ? file : path.relative(root, file);
  report(`Applying the configuration ${shown}`);
  const kept = environmentOfRemembered(remembered?.variables ?? {}, env);
  const asDefaults = Object.keys(kept).map((name) => name.replace(/_FILE$/u, ''));
  const allow = config.WAYBILL_REMOVALS === 'allow';
  const options = [
    ...(allow ? [] : ['--without-removals']),
    ...(asDefaults.length === 0 ? [] : ['--as-defaults', asDefaults.join(',')]),
  ];
  const args = ['apply', ...options, '--', file];
  const { exitCode, stdout, stderr } = await waybill.run(args, {
    ...env,
    ...kept,
    ...environment,
    // It applies to the database that it has started, wherever its user is logged in.
    DATABASE_PLATFORM: '',
  });
  const isFirst = !existsSync(tourFile(folder));
  const address = `http://127.0.0.1:${config.WAYBILL_EDGE_PORT}`;
  for (const line of summaryOf(stdout, isFirst))
    report(`  ${line.replace('waybill login --url https://ADDRESS', `npm run -s waybill -- login --url ${address}`)}`);
  const keepers = stdout.split('\n').flatMap((line) => /^! (\S+) keeps the password/u.exec(line)?.[1] ?? []);
  if (exitCode === 0) return { remembered: remember(file, context, remembered), keepers: new Set(keepers) };
  const sentence = exitCode === removalsRefused ? removalSentence(stderr, shown) : failureSentence(stderr, shown);
  if (isFirst) throw new Refusal(sentence);
  for (const line of sentence.split('\n')) report(line);
  report('The platform goes on with the configuration that is in force.');
  return { remembered, keepers: new Set(keepers), rejected: file };
}

/** The default configuration, relative to the repository. */
export const demoConfiguration = path.join('deploy', 'demo', 'platform.yaml');

function remember(
  file: string,
  context: ApplyContext,
  remembered: RememberedConfiguration | undefined,
): RememberedConfiguration {
  const { folder, root, env, environment } = context;
  const names = variablesNamedIn(readFileSync(file, 'utf8')).filter((name) => environment[name] === undefined);
  const variables = rememberVariables(names, { remembered: remembered?.variables ?? {}, env, folder, root });
  writeRemembered(folder.configuration, { file, variables });
  return { file, variables };
}

/**
 * The output of `waybill apply`, without the folders; at the first start, when everything is new, also without the
 * changes.
 */
function summaryOf(stdout: string, isFirst: boolean): string[] {
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('+ folder '));
  const total = lines.findIndex((line) => /^(?:Applied: |Nothing to change)/u.test(line));
  const changes = lines.slice(0, Math.max(total, 0)).filter((line) => !isFirst || line.startsWith('!'));
  const more = changes.length - shownChanges;
  return [
    ...changes.slice(0, shownChanges),
    ...(more > 0 ? [`... and ${more} more lines`] : []),
    ...lines.slice(Math.max(total, 0)),
  ];
}

function removalSentence(stderr: string, shown: string): string {
  const removed = stderr.split('\n').filter((line) => line.startsWith('  - '));
  const holdsFiles = removed.some((line) => line.endsWith(' files)') || line.endsWith(' file)'));
  const command = `WAYBILL_CONFIGURATION=${shown} WAYBILL_REMOVALS=allow npm start`;
  return [
    `The configuration ${shown} was not applied, because it would remove:`,
    ...removed,
    holdsFiles
      ? 'A VFS that holds files cannot be removed: add it to the file, delete its files first, or see "The configuration" in docs/running.md to start from nothing.'
      : `Add what is missing to the file, or remove it with ${command}.`,
  ].join('\n');
}

function failureSentence(stderr: string, shown: string): string {
  const lines = stderr.split('\n').filter((line) => !/^(?: +at |Target: )/u.test(line));
  const said = lines
    .join('\n')
    .trim()
    .replace(/^waybill apply: /u, '')
    .replaceAll(/\n\s*/gu, '; ')
    .replace(/:; /u, ': ')
    .replace(/\.$/u, '');
  return `The configuration ${shown} could not be applied: ${said}.`;
}
