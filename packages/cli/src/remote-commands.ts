import type { Command } from './command.ts';
import { createApiKeyCommand, listApiKeysCommand, revokeApiKeyCommand } from './commands/access/api-key-commands.ts';
import { issueFirstPasswordCodeCommand } from './commands/access/first-password-command.ts';
import { listLoginSessionsCommand, revokeLoginSessionCommand } from './commands/access/login-session-commands.ts';
import { listOutsideNamesCommand, releaseOutsideNameCommand } from './commands/access/outside-name-commands.ts';
import { resetManagerSecondFactorCommand } from './commands/access/reset-manager-second-factor-command.ts';
import {
  disableSecondFactorCommand,
  enableSecondFactorCommand,
  renewRecoveryCodesCommand,
  showSecondFactorCommand,
} from './commands/access/second-factor-commands.ts';
import { holdAuditCommand, listAuditHoldsCommand, releaseAuditCommand } from './commands/audit/audit-hold-commands.ts';
import { exportAuditCommand, queryAuditCommand, tailAuditCommand } from './commands/audit/read-audit-commands.ts';
import { redactAuditCommand } from './commands/audit/redact-audit-command.ts';
import { showAuditCommand } from './commands/audit/show-audit-command.ts';
import { verifyAuditCommand } from './commands/audit/verify-audit-command.ts';
import { completionCommand } from './commands/completion/completion-command.ts';
import { applyRemotelyCommand } from './commands/configuration/apply-remotely.ts';
import { driftCommand } from './commands/configuration/drift-command.ts';
import { explainCommand } from './commands/configuration/explain-command.ts';
import { exportRemotelyCommand } from './commands/configuration/export-remotely.ts';
import { adoptCommand, forceCommand, releaseCommand } from './commands/configuration/ownership-commands.ts';
import { planRemotelyCommand } from './commands/configuration/plan-remotely.ts';
import { schemaCommand } from './commands/configuration/schema-command.ts';
import { validateCommand } from './commands/configuration/validate-command.ts';
import { workflowRevisionsCommand } from './commands/configuration/workflow-revisions-command.ts';
import { workflowRunCommand } from './commands/configuration/workflow-run-command.ts';
import {
  listFilesCommand,
  makeFolderCommand,
  moveFileCommand,
  removeFileCommand,
} from './commands/files/folder-commands.ts';
import { getFileCommand, putFileCommand } from './commands/files/transfer-commands.ts';
import { approveCommand, listApprovalsCommand, rejectCommand } from './commands/jobs/approval-commands.ts';
import {
  abortJobCommand,
  resubmitJobCommand,
  resumeJobCommand,
  submitJobCommand,
} from './commands/jobs/change-job-commands.ts';
import { acknowledgeExpectationCommand, listExpectationsCommand } from './commands/jobs/expectation-commands.ts';
import { listJobsCommand, showJobCommand } from './commands/jobs/list-jobs-commands.ts';
import { watchJobsCommand } from './commands/jobs/watch-jobs.ts';
import { listWebhooksCommand, replayWebhookCommand } from './commands/jobs/webhook-commands.ts';
import { expiriesCommand } from './commands/keys/expiries-command.ts';
import {
  deleteSecretRemotelyCommand,
  listSecretsRemotelyCommand,
  setSecretRemotelyCommand,
} from './commands/keys/remote-secret-commands.ts';
import {
  generateSshKeyRemotelyCommand,
  importSshKeyRemotelyCommand,
  listSshKeysRemotelyCommand,
} from './commands/keys/remote-ssh-key-commands.ts';
import { listContextsCommand, removeContextCommand, useContextCommand } from './commands/login/context-commands.ts';
import { loginCommand, logoutCommand } from './commands/login/login-commands.ts';
import { changePasswordCommand } from './commands/login/password-command.ts';
import { statusCommand } from './commands/login/status-command.ts';
import { versionCommand } from './commands/login/version-command.ts';
import { liftBansCommand, listBansCommand } from './commands/platform/ban-commands.ts';
import { connectionHealthCommand } from './commands/platform/connection-commands.ts';
import { freezeUserCommand, listFreezesCommand, thawUserCommand } from './commands/platform/freeze-commands.ts';
import { deleteObjectCommand, listObjectsCommand, showObjectCommand } from './commands/platform/object-commands.ts';
import { listQueuesCommand, pauseQueueCommand, resumeQueueCommand } from './commands/platform/queue-commands.ts';
import { killSessionCommand, listSessionsCommand } from './commands/platform/session-commands.ts';
import {
  killTransferCommand,
  listTransfersCommand,
  watchTransfersCommand,
} from './commands/platform/transfer-commands.ts';
import { deleteUploadCommand, listUploadsCommand } from './commands/platform/upload-commands.ts';
import {
  deleteUserKeyCommand,
  resetUserSecondFactorCommand,
  listUserKeysCommand,
  listUsersCommand,
} from './commands/platform/user-commands.ts';
import { vfsUsageCommand } from './commands/platform/vfs-usage-command.ts';
import { watchSessionsCommand } from './commands/platform/watch-sessions-command.ts';
import {
  changeObjectCommand,
  createObjectCommand,
  replaceObjectCommand,
} from './commands/platform/write-object-commands.ts';

/** The commands that need nothing but a running platform, or a file. They must not import what uses its database or its files. */
export const platformCommands = {
  login: loginCommand,
  logout: logoutCommand,
  password: changePasswordCommand,
  'context list': listContextsCommand,
  'context use': useContextCommand,
  'context remove': removeContextCommand,
  status: statusCommand,
  'files ls': listFilesCommand,
  'files get': getFileCommand,
  'files put': putFileCommand,
  'files rm': removeFileCommand,
  'files mv': moveFileCommand,
  'files mkdir': makeFolderCommand,
  'jobs list': listJobsCommand,
  'jobs show': showJobCommand,
  'jobs watch': watchJobsCommand,
  'jobs submit': submitJobCommand,
  'jobs abort': abortJobCommand,
  'jobs resume': resumeJobCommand,
  'jobs resubmit': resubmitJobCommand,
  'queues list': listQueuesCommand,
  'queues pause': pauseQueueCommand,
  'queues resume': resumeQueueCommand,
  'connections health': connectionHealthCommand,
  'sessions list': listSessionsCommand,
  'sessions watch': watchSessionsCommand,
  'sessions kill': killSessionCommand,
  'transfers list': listTransfersCommand,
  'transfers watch': watchTransfersCommand,
  'transfers kill': killTransferCommand,
  'uploads list': listUploadsCommand,
  'uploads delete': deleteUploadCommand,
  'bans list': listBansCommand,
  'bans lift': liftBansCommand,
  'users list': listUsersCommand,
  'users freezes': listFreezesCommand,
  'users freeze': freezeUserCommand,
  'users thaw': thawUserCommand,
  'users keys': listUserKeysCommand,
  'users delete-key': deleteUserKeyCommand,
  'users reset-second-factor': resetUserSecondFactorCommand,
  'managers first-password': issueFirstPasswordCodeCommand,
  'managers reset-second-factor': resetManagerSecondFactorCommand,
  'objects list': listObjectsCommand,
  'objects show': showObjectCommand,
  'objects create': createObjectCommand,
  'objects replace': replaceObjectCommand,
  'objects change': changeObjectCommand,
  'objects delete': deleteObjectCommand,
  'vfs usage': vfsUsageCommand,
  'audit query': queryAuditCommand,
  'audit show': showAuditCommand,
  'audit tail': tailAuditCommand,
  'audit export': exportAuditCommand,
  validate: validateCommand,
  schema: schemaCommand,
  'workflow run': workflowRunCommand,
  'workflow revisions': workflowRevisionsCommand,
  explain: explainCommand,
  drift: driftCommand,
  expiries: expiriesCommand,
  adopt: adoptCommand,
  release: releaseCommand,
  force: forceCommand,
  'expectation list': listExpectationsCommand,
  'expectation acknowledge': acknowledgeExpectationCommand,
  'approval list': listApprovalsCommand,
  'approval approve': approveCommand,
  'approval reject': rejectCommand,
  'audit verify': verifyAuditCommand,
  'audit redact': redactAuditCommand,
  'audit hold': holdAuditCommand,
  'audit release': releaseAuditCommand,
  'audit holds': listAuditHoldsCommand,
  'webhook list': listWebhooksCommand,
  'webhook replay': replayWebhookCommand,
  'api-key create': createApiKeyCommand,
  'api-key list': listApiKeysCommand,
  'api-key revoke': revokeApiKeyCommand,
  'logins list': listLoginSessionsCommand,
  'logins revoke': revokeLoginSessionCommand,
  'outside-names list': listOutsideNamesCommand,
  'outside-names release': releaseOutsideNameCommand,
  'second-factor show': showSecondFactorCommand,
  'second-factor enable': enableSecondFactorCommand,
  'second-factor disable': disableSecondFactorCommand,
  'second-factor new-codes': renewRecoveryCodesCommand,
  completion: completionCommand,
  version: versionCommand,
} as const satisfies Record<string, Command>;

/** The same, with the halves of commands that use the database where they have one. */
export const remoteCommands = {
  ...platformCommands,
  plan: planRemotelyCommand,
  apply: applyRemotelyCommand,
  export: exportRemotelyCommand,
  'secret set': setSecretRemotelyCommand,
  'secret list': listSecretsRemotelyCommand,
  'secret delete': deleteSecretRemotelyCommand,
  'ssh-key generate': generateSshKeyRemotelyCommand,
  'ssh-key import': importSshKeyRemotelyCommand,
  'ssh-key list': listSshKeysRemotelyCommand,
} as const satisfies Record<string, Command>;
