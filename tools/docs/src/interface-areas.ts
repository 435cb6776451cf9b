import {
  createApiKeyEndpoint,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { changeExpiredPasswordEndpoint } from '@waybill/contracts/endpoints/access/change-expired-password';
import { changePasswordEndpoint } from '@waybill/contracts/endpoints/access/change-password';
import { listSigningKeysEndpoint } from '@waybill/contracts/endpoints/access/list-signing-keys';
import { logInEndpoint } from '@waybill/contracts/endpoints/access/log-in';
import { logOutEndpoint } from '@waybill/contracts/endpoints/access/log-out';
import {
  listLoginSessionsEndpoint,
  revokeLoginSessionEndpoint,
} from '@waybill/contracts/endpoints/access/login-session-endpoints';
import {
  beginOidcDeviceLoginEndpoint,
  beginOidcLoginEndpoint,
  finishOidcDeviceLoginEndpoint,
  finishOidcLoginEndpoint,
} from '@waybill/contracts/endpoints/access/oidc-endpoints';
import { readOwnPermissionsEndpoint } from '@waybill/contracts/endpoints/access/read-own-permissions';
import { refreshLoginEndpoint } from '@waybill/contracts/endpoints/access/refresh-login';
import {
  beginSecondFactorEndpoint,
  confirmSecondFactorEndpoint,
  findSecondFactorEndpoint,
  removeSecondFactorEndpoint,
  renewRecoveryCodesEndpoint,
  resetSecondFactorEndpoint,
} from '@waybill/contracts/endpoints/access/second-factor-endpoints';
import { setFirstPasswordEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import {
  applyConfigurationEndpoint,
  exportConfigurationEndpoint,
  planConfigurationEndpoint,
  validateConfigurationEndpoint,
} from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { dryRunWorkflowEndpoint } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { explainAccessEndpoint } from '@waybill/contracts/endpoints/administration/explain-access';
import {
  adoptObjectsEndpoint,
  forceObjectEndpoint,
  readDriftEndpoint,
  releaseObjectsEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { administrationEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import {
  deleteSecretEndpoint,
  listSecretsEndpoint,
  storeSecretEndpoint,
} from '@waybill/contracts/endpoints/administration/secret-endpoints';
import {
  listAuditHoldsEndpoint,
  placeAuditHoldEndpoint,
  releaseAuditHoldEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/audit-hold-endpoints';
import { countAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import { exportAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { followAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/follow-audit-records';
import { listAuditKeysEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-keys';
import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { proveAuditConsistencyEndpoint } from '@waybill/contracts/endpoints/audit-logs/prove-audit-consistency';
import { proveAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/prove-audit-record';
import { readAuditCheckpointEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-checkpoint';
import { readAuditTileEndpoint } from '@waybill/contracts/endpoints/audit-logs/read-audit-tile';
import { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import { verifyAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { listConnectionHealthEndpoint } from '@waybill/contracts/endpoints/connections/list-connection-health';
import { listWebhookDeliveriesEndpoint } from '@waybill/contracts/endpoints/deliveries/list-webhook-deliveries';
import {
  findWebhookDeliveryEndpoint,
  replayWebhookDeliveryEndpoint,
} from '@waybill/contracts/endpoints/deliveries/webhook-delivery-endpoints';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import {
  acknowledgeExpectationEndpoint,
  findExpectationEndpoint,
  listExpectationsEndpoint,
} from '@waybill/contracts/endpoints/expectations/expectation-endpoints';
import { fileEndpoints, fileInterface } from '@waybill/contracts/endpoints/files/file-endpoints';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import { changeJobsEndpoint } from '@waybill/contracts/endpoints/jobs/change-jobs';
import { approveJobEndpoint, rejectJobEndpoint } from '@waybill/contracts/endpoints/jobs/decide-approval';
import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import { followJobsEndpoint } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import { readJobStatisticsEndpoint } from '@waybill/contracts/endpoints/jobs/job-statistics';
import { listApprovalsEndpoint } from '@waybill/contracts/endpoints/jobs/list-approvals';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { resubmitJobEndpoint } from '@waybill/contracts/endpoints/jobs/resubmit-job';
import { resumeJobEndpoint } from '@waybill/contracts/endpoints/jobs/resume-job';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { liftLoginBanEndpoint } from '@waybill/contracts/endpoints/login-bans/lift-login-ban';
import { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import { findQueueEndpoint } from '@waybill/contracts/endpoints/queues/find-queue';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { pauseQueueEndpoint } from '@waybill/contracts/endpoints/queues/pause-queue';
import { resumeQueueEndpoint } from '@waybill/contracts/endpoints/queues/resume-queue';
import { followServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/follow-server-sessions';
import { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import { queryServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/query-server-sessions';
import { terminateServerSessionEndpoint } from '@waybill/contracts/endpoints/server-sessions/terminate-server-session';
import { findUserFreezeEndpoint } from '@waybill/contracts/endpoints/users/find-user-freeze';
import { freezeUserEndpoint } from '@waybill/contracts/endpoints/users/freeze-user';
import { thawUserEndpoint } from '@waybill/contracts/endpoints/users/thaw-user';
import {
  deleteUserSshKeyEndpoint,
  listUserSshKeysEndpoint,
} from '@waybill/contracts/endpoints/users/user-ssh-key-endpoints';
import type { FailureForm } from '@waybill/http-kit/openapi/render-openapi-responses';

/** One part of the HTTP interface, and with it one OpenAPI document. */
export interface InterfaceArea {
  readonly title: string;
  readonly description: string;
  /** The version of the interface, not of the code. */
  readonly version?: string;
  readonly endpoints: readonly EndpointContract[];
  /** The format of failures if it is not problem details. */
  readonly failureForm?: FailureForm;
}

/** Every endpoint of the platform, by the name of its document. */
export const interfaceAreas: Readonly<Record<string, InterfaceArea>> = {
  'server-sessions': {
    title: 'Waybill: server sessions',
    description:
      'List open sessions with their activity, end sessions, freeze users, and lift bans after failed logins.',
    endpoints: [
      queryServerSessionsEndpoint,
      terminateServerSessionEndpoint,
      listServerSessionsEndpoint,
      followServerSessionsEndpoint,
      findUserFreezeEndpoint,
      freezeUserEndpoint,
      thawUserEndpoint,
      listLoginBansEndpoint,
      liftLoginBanEndpoint,
    ],
  },
  access: {
    title: 'Waybill: access',
    description: 'Access tokens for operators and integrators.',
    endpoints: [
      logInEndpoint,
      refreshLoginEndpoint,
      logOutEndpoint,
      changePasswordEndpoint,
      changeExpiredPasswordEndpoint,
      setFirstPasswordEndpoint,
      findSecondFactorEndpoint,
      beginSecondFactorEndpoint,
      confirmSecondFactorEndpoint,
      renewRecoveryCodesEndpoint,
      removeSecondFactorEndpoint,
      resetSecondFactorEndpoint,
      beginOidcLoginEndpoint,
      finishOidcLoginEndpoint,
      beginOidcDeviceLoginEndpoint,
      finishOidcDeviceLoginEndpoint,
      readOwnPermissionsEndpoint,
      listLoginSessionsEndpoint,
      revokeLoginSessionEndpoint,
      createApiKeyEndpoint,
      listApiKeysEndpoint,
      revokeApiKeyEndpoint,
      listSigningKeysEndpoint,
    ],
  },
  jobs: {
    title: 'Waybill: job manager',
    description: 'Submit, follow and control jobs.',
    endpoints: [
      submitJobEndpoint,
      listJobsEndpoint,
      findJobEndpoint,
      abortJobEndpoint,
      resumeJobEndpoint,
      resubmitJobEndpoint,
      listApprovalsEndpoint,
      approveJobEndpoint,
      rejectJobEndpoint,
      listQueuesEndpoint,
      findQueueEndpoint,
      pauseQueueEndpoint,
      resumeQueueEndpoint,
      listExpectationsEndpoint,
      findExpectationEndpoint,
      acknowledgeExpectationEndpoint,
      listConnectionHealthEndpoint,
      listWebhookDeliveriesEndpoint,
      findWebhookDeliveryEndpoint,
      replayWebhookDeliveryEndpoint,
      readJobStatisticsEndpoint,
      changeJobsEndpoint,
      followJobsEndpoint,
    ],
  },
  configuration: {
    title: 'Waybill: configuration',
    description: 'Read and change the configuration, one object at a time or as a whole, and explain what it permits.',
    endpoints: [
      planConfigurationEndpoint,
      applyConfigurationEndpoint,
      validateConfigurationEndpoint,
      exportConfigurationEndpoint,
      readDriftEndpoint,
      adoptObjectsEndpoint,
      releaseObjectsEndpoint,
      forceObjectEndpoint,
      ...administrationEndpoints,
      listSecretsEndpoint,
      storeSecretEndpoint,
      deleteSecretEndpoint,
      listUserSshKeysEndpoint,
      deleteUserSshKeyEndpoint,
      explainAccessEndpoint,
      dryRunWorkflowEndpoint,
    ],
  },
  'audit-logs': {
    title: 'Waybill: audit logs',
    description: 'Read and verify the tamper-evident audit log.',
    endpoints: [
      listAuditRecordsEndpoint,
      countAuditRecordsEndpoint,
      followAuditRecordsEndpoint,
      verifyAuditRecordEndpoint,
      redactAuditRecordsEndpoint,
      listAuditHoldsEndpoint,
      placeAuditHoldEndpoint,
      releaseAuditHoldEndpoint,
      exportAuditRecordsEndpoint,
      readAuditCheckpointEndpoint,
      listAuditKeysEndpoint,
      readAuditTileEndpoint,
      proveAuditRecordEndpoint,
      proveAuditConsistencyEndpoint,
    ],
  },
  files: {
    ...fileInterface,
    endpoints: fileEndpoints,
    failureForm: { mediaType: 'application/json', schema: fileFailureSchema },
  },
};
