import { readSecretFile, type SecretFileContent } from './read-secret-file.ts';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The error of a variable, as a sentence whose subject is its name. */
export interface SecretFault {
  readonly variable: string;
  readonly fault: string;
}

/** The variable that names the file of a secret. */
export function fileVariableOf(name: string): string {
  return `${name}_FILE`;
}

/**
 * A secret of the environment: the variable `name` itself, or the content of the file that `<name>_FILE` names.
 * `undefined` if neither is set; an empty variable counts as not set.
 */
export function readSecretVariable(
  env: Environment,
  name: string,
): { readonly value: string } | SecretFault | undefined {
  const fileVariable = fileVariableOf(name);
  const [value = '', file = ''] = [env[name], env[fileVariable]];
  if (file === '') return value === '' ? undefined : { value };
  if (value !== '') return { variable: name, fault: `and ${fileVariable} are both set: set one of them` };
  const content: SecretFileContent = readSecretFile(file);
  return 'value' in content ? content : { variable: fileVariable, fault: content.fault };
}
