import type { Command } from './command.ts';
import { createApiKeyCommand, listApiKeysCommand, revokeApiKeyCommand } from './commands/access/api-key-commands.ts';
import { listLoginSessionsCommand, revokeLoginSessionCommand } from './commands/access/login-session-commands.ts';
import {
  disableSecondFactorCommand,
  enableSecondFactorCommand,
  renewRecoveryCodesCommand,
  showSecondFactorCommand,
} from './commands/access/second-factor-commands.ts';
import { holdAuditCommand, listAuditHoldsCommand, releaseAuditCommand } from './commands/audit/audit-hold-commands.ts';
import { exportAuditCommand, queryAuditCommand, tailAuditCommand } from './commands/audit/read-audit-commands.ts';
import { redactAuditCommand } from './commands/audit/redact-audit-command.ts';
import { verifyAuditCommand } from './commands/audit/verify-audit-command.ts';
import { completionCommand } from './commands/completion/completion-command.ts';
import { applyRemotelyCommand } from './commands/configuration/apply-remotely.ts';
import { driftCommand } from './commands/configuration/drift-command.ts';
import { explainCommand } from './commands/configuration/explain-command.ts';
import { exportRemotelyCommand } from './commands/configuration/export-remotely.ts';
import { adoptCommand, forceCommand, releaseCommand } from './commands/configuration/ownership-commands.ts';
import { planRemotelyCommand } from './commands/configuration/plan-remotely.ts';
import { validateCommand } from './commands/configuration/validate-command.ts';
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
import { listContextsCommand, useContextCommand } from './commands/login/context-commands.ts';
import { loginCommand, logoutCommand } from './commands/login/login-commands.ts';
import { statusCommand } from './commands/login/status-command.ts';
import { connectionHealthCommand } from './commands/platform/connection-commands.ts';
import {
  createObjectCommand,
  deleteObjectCommand,
  listObjectsCommand,
  showObjectCommand,
} from './commands/platform/object-commands.ts';
import { listQueuesCommand, pauseQueueCommand, resumeQueueCommand } from './commands/platform/queue-commands.ts';
import { killSessionCommand, listSessionsCommand, watchSessionsCommand } from './commands/platform/session-commands.ts';
import {
  deleteUserKeyCommand,
  freezeUserCommand,
  listUserKeysCommand,
  listUsersCommand,
  thawUserCommand,
} from './commands/platform/user-commands.ts';

/** The commands that need nothing but a running platform, or a file. They must not import what uses its database or its files. */
export const platformCommands = {
  login: loginCommand,
  logout: logoutCommand,
  'context list': listContextsCommand,
  'context use': useContextCommand,
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
  'users list': listUsersCommand,
  'users freeze': freezeUserCommand,
  'users thaw': thawUserCommand,
  'users keys': listUserKeysCommand,
  'users delete-key': deleteUserKeyCommand,
  'objects list': listObjectsCommand,
  'objects show': showObjectCommand,
  'objects create': createObjectCommand,
  'objects delete': deleteObjectCommand,
  'audit query': queryAuditCommand,
  'audit tail': tailAuditCommand,
  'audit export': exportAuditCommand,
  validate: validateCommand,
  'workflow run': workflowRunCommand,
  explain: explainCommand,
  drift: driftCommand,
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
  'session list': listLoginSessionsCommand,
  'session revoke': revokeLoginSessionCommand,
  'second-factor show': showSecondFactorCommand,
  'second-factor enable': enableSecondFactorCommand,
  'second-factor disable': disableSecondFactorCommand,
  'second-factor new-codes': renewRecoveryCodesCommand,
  completion: completionCommand,
} as const satisfies Record<string, Command>;

/** The same, with the halves of commands that use the database where they have one. */
export const remoteCommands = {
  ...platformCommands,
  plan: planRemotelyCommand,
  apply: applyRemotelyCommand,
  export: exportRemotelyCommand,
} as const satisfies Record<string, Command>;
