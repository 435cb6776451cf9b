import type { Command } from './command.ts';
import { recoverAdministratorCommand } from './commands/access/recover-administrator-command.ts';
import { resetSecondFactorCommand } from './commands/access/reset-second-factor-command.ts';
import { acceptRestoreCommand } from './commands/audit/accept-restore-command.ts';
import { stuckEventsCommand } from './commands/audit/stuck-events-command.ts';
import { witnessForgetCommand, witnessKeyCommand, witnessServeCommand } from './commands/audit/witness-commands.ts';
import { applyCommand } from './commands/configuration/apply-command.ts';
import { exportCommand } from './commands/configuration/export-command.ts';
import { migrateCommand } from './commands/configuration/migrate-command.ts';
import { planCommand } from './commands/configuration/plan-command.ts';
import { verifyFilesCommand } from './commands/files/verify-files-command.ts';
import { keysCommand } from './commands/keys/keys-command.ts';
import { generatePgpKeyCommand, importPgpKeyCommand, listPgpKeysCommand } from './commands/keys/pgp-key-commands.ts';
import {
  deleteSecretCommand,
  listSecretsCommand,
  newSecretKeyCommand,
  reencryptSecretsCommand,
  setSecretCommand,
} from './commands/keys/secret-commands.ts';
import {
  activateSigningKeyCommand,
  addSigningKeyCommand,
  listSigningKeysCommand,
  removeSigningKeyCommand,
} from './commands/keys/signing-keys-commands.ts';
import { generateSshKeyCommand, importSshKeyCommand, listSshKeysCommand } from './commands/keys/ssh-key-commands.ts';
import { remoteCommands } from './remote-commands.ts';

/** The commands of `waybill`, in the order of its help. A name has one or two words. */
export const commands = {
  ...remoteCommands,
  migrate: migrateCommand,
  plan: planCommand,
  apply: applyCommand,
  export: exportCommand,
  'recover-administrator': recoverAdministratorCommand,
  'recover-second-factor': resetSecondFactorCommand,
  keys: keysCommand,
  'signing-keys list': listSigningKeysCommand,
  'signing-keys add': addSigningKeyCommand,
  'signing-keys activate': activateSigningKeyCommand,
  'signing-keys remove': removeSigningKeyCommand,
  'secret set': setSecretCommand,
  'secret list': listSecretsCommand,
  'secret delete': deleteSecretCommand,
  'secret new-key': newSecretKeyCommand,
  'secret reencrypt': reencryptSecretsCommand,
  'pgp-key generate': generatePgpKeyCommand,
  'pgp-key import': importPgpKeyCommand,
  'pgp-key list': listPgpKeysCommand,
  'ssh-key generate': generateSshKeyCommand,
  'ssh-key import': importSshKeyCommand,
  'ssh-key list': listSshKeysCommand,
  'files verify': verifyFilesCommand,
  'audit accept-restore': acceptRestoreCommand,
  'audit stuck': stuckEventsCommand,
  'witness key': witnessKeyCommand,
  'witness serve': witnessServeCommand,
  'witness forget': witnessForgetCommand,
} as const satisfies Record<string, Command>;
