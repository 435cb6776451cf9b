import type { ValueSources } from '@waybill/configuration/document/interpolate';
import { originsIn } from '@waybill/configuration/document/read-document';
import type { Warning } from '@waybill/configuration/document/warning';
import type { PasswordOrigin, PasswordOrigins } from '@waybill/directory/apply/prepare-password-hashes';
import type { FindFaults } from '@waybill/directory/checks/check-document';
import type { Invocation } from '../command.ts';
import { findMisnamedVariables, type Reference } from './misnamed-variables.ts';
import { type ConfigurationFile, readConfigurationFile } from './read-configuration-file.ts';

/** A configuration, and the origins of its passwords. */
export interface ReadConfiguration extends ConfigurationFile {
  passwordOrigins: PasswordOrigins;
  /** Warnings about variables of the environment. */
  warnings: readonly Warning[];
}

const onlyDefault = 'The password in the configuration is only a default: set its variable to change the password.';
const notChanged = 'The password in the configuration has not changed: configure another one to change the password.';

/**
 * Reads the file of a command that has `defaultsOption`. A password from the default of a reference, or from a variable
 * that the option names, sets the first password of a user and never replaces one. A password from any other variable
 * is always set, except with `--unless-applied`, where variables are set permanently: then it is set only if it differs
 * from the last configured one, like a password without a variable. A line of output names each user who keeps another
 * password.
 * @throws CodedError `configuration_invalid`
 */
export async function readWithDefaults(
  { positionals, values, env, out }: Invocation,
  findFaults: FindFaults,
): Promise<ReadConfiguration> {
  const origins = new Map<string, PasswordOrigin>();
  const references: Reference[] = [];
  const isUnattended = values['unless-applied'] !== undefined;
  const sources: ValueSources = {
    defaults: new Set(String(values['as-defaults'] ?? '').split(',')),
    used: (place, isDefault) => {
      if (isDefault) origins.set(place, 'default');
      else if (!isUnattended && !origins.has(place)) origins.set(place, 'given');
    },
    referred: (place, name, isGiven) => references.push({ place, variable: name, isGiven }),
  };
  const file = await readConfigurationFile(positionals[0] ?? '', env, { sources, findFaults });
  return {
    ...file,
    warnings: findMisnamedVariables(references, env),
    passwordOrigins: {
      ...originsIn(file.configuration, origins),
      kept: (userName, origin) =>
        out(`! ${userName} keeps the password that was set before. ${origin === 'default' ? onlyDefault : notChanged}`),
    },
  };
}
