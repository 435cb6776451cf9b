import type { commands } from './commands.ts';
import type { remoteCommands } from './remote-commands.ts';

type OfServer = Exclude<keyof typeof commands, keyof typeof remoteCommands>;

/**
 * The commands that a server of the platform has besides those for a running platform: the package that is installed elsewhere knows
 * their names, to say where they are.
 */
const names: Readonly<Record<OfServer, true>> = {
  migrate: true,
  'recover-administrator': true,
  'recover-second-factor': true,
  keys: true,
  'signing-keys list': true,
  'signing-keys add': true,
  'signing-keys activate': true,
  'signing-keys remove': true,
  'secret new-key': true,
  'secret reencrypt': true,
  'pgp-key generate': true,
  'pgp-key import': true,
  'pgp-key list': true,
  'files verify': true,
  'audit accept-restore': true,
  'audit stuck': true,
  'witness key': true,
  'witness serve': true,
  'witness forget': true,
};

/** The names of these commands. */
export const serverCommandNames: ReadonlySet<string> = new Set(Object.keys(names));
