import type { Command } from './command.ts';
import { acceptRestoreCommand } from './commands/accept-restore-command.ts';
import { applyCommand } from './commands/apply-command.ts';
import { holdAuditCommand, listAuditHoldsCommand, releaseAuditCommand } from './commands/audit-hold-commands.ts';
import { keysCommand } from './commands/keys-command.ts';
import { migrateCommand } from './commands/migrate-command.ts';
import { generatePgpKeyCommand, importPgpKeyCommand, listPgpKeysCommand } from './commands/pgp-key-commands.ts';
import { planCommand } from './commands/plan-command.ts';
import { redactAuditCommand } from './commands/redact-audit-command.ts';
import {
  deleteSecretCommand,
  listSecretsCommand,
  newSecretKeyCommand,
  reencryptSecretsCommand,
  setSecretCommand,
} from './commands/secret-commands.ts';
import {
  activateSigningKeyCommand,
  addSigningKeyCommand,
  listSigningKeysCommand,
  removeSigningKeyCommand,
} from './commands/signing-keys-commands.ts';
import { stuckEventsCommand } from './commands/stuck-events-command.ts';
import { verifyAuditCommand } from './commands/verify-audit-command.ts';
import { verifyFilesCommand } from './commands/verify-files-command.ts';
import { witnessForgetCommand, witnessKeyCommand, witnessServeCommand } from './commands/witness-commands.ts';
import { workflowRunCommand } from './commands/workflow-run-command.ts';

/** The commands of `waybill`, in the order of its help. A name has one or two words. */
export const commands = {
  migrate: migrateCommand,
  plan: planCommand,
  apply: applyCommand,
  'workflow run': workflowRunCommand,
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
  'files verify': verifyFilesCommand,
  'audit verify': verifyAuditCommand,
  'audit accept-restore': acceptRestoreCommand,
  'audit stuck': stuckEventsCommand,
  'witness key': witnessKeyCommand,
  'witness serve': witnessServeCommand,
  'witness forget': witnessForgetCommand,
  'audit redact': redactAuditCommand,
  'audit hold': holdAuditCommand,
  'audit release': releaseAuditCommand,
  'audit holds': listAuditHoldsCommand,
} as const satisfies Record<string, Command>;
