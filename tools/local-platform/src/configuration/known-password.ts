import { isGiven } from './configuration-variables.ts';
import type { RememberedConfiguration } from './remembered-configuration.ts';

/** Where the password of a user of the demo configuration is. */
export type PasswordSource = { readonly variable: string } | { readonly file: string } | { readonly demo: string };

/** The variable of the demo configuration that has the password of a user. */
export function passwordVariable(user: string): string {
  return `${user.toUpperCase()}_PASSWORD`;
}

/** The environment comes first, then what earlier starts were given, then the demo's. */
export function passwordSource(
  user: string,
  env: Readonly<Record<string, string | undefined>>,
  remembered: RememberedConfiguration | undefined,
): PasswordSource {
  const name = passwordVariable(user);
  if (isGiven(name, env)) return { variable: env[name] ? name : `${name}_FILE` };
  const file = remembered?.variables[name];
  return file === undefined ? { demo: `${user}-demo` } : { file };
}
