import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { demoConfiguration } from './apply-configuration.ts';
import type { Config } from './config.ts';
import { variablesNamedIn } from './configuration-variables.ts';
import { openPlatformFolder } from './platform-folder.ts';
import { readRemembered } from './remembered-configuration.ts';

/** What the child processes of `npm start` may need, even if a configuration uses it. */
const passedOn = /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|TMPDIR|TZ|LANG|LC_.*|NODE_.*|AWS_.*)$/u;

/**
 * Removes the variables that a configuration names, such as passwords, from `environment`, so that no child process
 * inherits them. Returns the environment before that.
 * @throws Refusal if the stored state of the configuration is invalid
 */
export function withholdVariables(
  environment: NodeJS.ProcessEnv,
  { root, config }: { root: string; config: Pick<Config, 'WAYBILL_CONFIGURATION' | 'WAYBILL_DIR'> },
): NodeJS.ProcessEnv {
  const given = { ...environment };
  const remembered = readRemembered(openPlatformFolder(path.resolve(root, config.WAYBILL_DIR)).configuration);
  const files = [config.WAYBILL_CONFIGURATION, remembered?.file, demoConfiguration]
    .filter((file) => file !== undefined)
    .map((file) => path.resolve(root, file));
  // A file that cannot be read is refused when it is applied.
  const named = files
    .filter((file) => existsSync(file))
    .flatMap((file) => variablesNamedIn(readFileSync(file, 'utf8')));
  for (const name of [...named, ...Object.keys(remembered?.variables ?? {})]) {
    if (!passedOn.test(name)) delete environment[name];
  }
  return given;
}
