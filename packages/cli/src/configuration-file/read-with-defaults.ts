import type { DefaultPasswords } from '@waybill/directory/apply/prepare-password-hashes';
import type { Invocation } from '../command.ts';
import { type ConfigurationFile, readConfigurationFile } from './read-configuration-file.ts';

/** What a configuration file says, and the users whose passwords in it are only defaults. */
export interface ReadConfiguration extends ConfigurationFile {
  defaultPasswords: DefaultPasswords;
}

/** The option that names variables whose values are defaults. */
export const defaultsOption = { 'as-defaults': { type: 'string' } } as const;

const explanation = 'The one of the configuration is only a default: set its variable to change the password.';

/**
 * Reads the file of a command that has `defaultsOption`. A password from the default of a reference, or from a variable that the
 * option names, sets the first password of a user and replaces none; a line says so.
 * @throws CodedError `configuration_invalid`
 */
export async function readWithDefaults({ positionals, values, env, out }: Invocation): Promise<ReadConfiguration> {
  const places = new Set<string>();
  const variables = new Set(String(values['as-defaults'] ?? '').split(','));
  const file = await readConfigurationFile(positionals[0] ?? '', env, {
    variables,
    used: (place) => places.add(place),
  });
  const { configuration } = file;
  const manager = configuration.managerUsers.flatMap(({ name }, index) =>
    places.has(`managerUsers[${index}].password`) ? [name] : [],
  );
  const partner = configuration.actors.flatMap(({ users }, actor) =>
    users.flatMap(({ name }, index) => (places.has(`actors[${actor}].users[${index}].password`) ? [name] : [])),
  );
  return {
    ...file,
    defaultPasswords: {
      manager: new Set(manager),
      partner: new Set(partner),
      kept: (userName) => out(`! ${userName} keeps the password that was set before. ${explanation}`),
    },
  };
}
