import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from './database-logins.ts';
import type { PlatformFolder } from './platform-folder.ts';
import type { RememberedConfiguration } from './remembered-configuration.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Remembered = RememberedConfiguration['variables'];

/** The variables that a configuration file names; those in comments are included, which is harmless. */
export function variablesNamedIn(text: string): string[] {
  const names = [...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)/gu)].flatMap(([, name]) => (name ? [name] : []));
  return [...new Set(names)];
}

/** Whether a variable, or the file of its value, is in the environment. */
export function isGiven(name: string, env: Variables): boolean {
  return Boolean(env[name] || env[`${name}_FILE`]);
}

/** The variables that an earlier start was given and this one is not, as `<NAME>_FILE`. */
export function environmentOfRemembered(remembered: Remembered, env: Variables): Environment {
  const missing = Object.entries(remembered).filter(([name]) => !isGiven(name, env));
  return Object.fromEntries(missing.map(([name, file]) => [`${name}_FILE`, file]));
}

/**
 * Keeps the values of `names` from the environment for the next start: each in a file of mode 600; of a value that came
 * from a file only the path is kept.
 */
export function rememberVariables(
  names: readonly string[],
  { remembered, env, folder, root }: { remembered: Remembered; env: Variables; folder: PlatformFolder; root: string },
): Remembered {
  const given = names
    .filter((name) => isGiven(name, env))
    .map((name): [string, string] => {
      const file = env[`${name}_FILE`];
      return [name, file ? path.resolve(root, file) : keepValue(folder.configurationValue(name), env[name] ?? '')];
    });
  return { ...remembered, ...Object.fromEntries(given) };
}

/** A single newline at the end of a file is not part of the value. */
function keepValue(file: string, value: string): string {
  const next = `${file}.next`;
  writeFileSync(next, `${value}\n`, { mode: 0o600 });
  renameSync(next, file);
  return file;
}
