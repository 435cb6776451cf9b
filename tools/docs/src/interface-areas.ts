import { changeObjectsEndpoint } from '@waybill/contracts/endpoints/administration/change-objects';
import {
  applyConfigurationEndpoint,
  exportConfigurationEndpoint,
  planConfigurationEndpoint,
  readConfigurationSchemaEndpoint,
  validateConfigurationEndpoint,
} from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import { dryRunWorkflowEndpoint } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { explainAccessEndpoint } from '@waybill/contracts/endpoints/administration/explain-access';
import { followConfigurationEndpoint } from '@waybill/contracts/endpoints/administration/follow-configuration';
import { listExpiriesEndpoint } from '@waybill/contracts/endpoints/administration/list-expiries';
import {
  adoptObjectsEndpoint,
  forceObjectEndpoint,
  readDriftEndpoint,
  releaseObjectsEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { administeredPartEndpoints } from '@waybill/contracts/endpoints/administration/part-endpoints';
import { readVfsUsageEndpoint } from '@waybill/contracts/endpoints/administration/read-vfs-usage';
import { administrationEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import {
  changeSecretEndpoint,
  createSecretEndpoint,
  deleteSecretEndpoint,
  findSecretEndpoint,
  listSecretsEndpoint,
  storeSecretEndpoint,
} from '@waybill/contracts/endpoints/administration/secret-endpoints';
import { workflowRevisionEndpoints } from '@waybill/contracts/endpoints/administration/workflow-revision-endpoints';
import {
  countActivityEndpoint,
  listActivityEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/activity-endpoints';
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
import {
  deleteConnectionSshKeyEndpoint,
  findConnectionSshKeyEndpoint,
  generateConnectionSshKeyEndpoint,
  importConnectionSshKeyEndpoint,
  listConnectionSshKeysEndpoint,
} from '@waybill/contracts/endpoints/connections/connection-ssh-key-endpoints';
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
import { readJobHoursEndpoint } from '@waybill/contracts/endpoints/jobs/job-hours';
import { readJobStatisticsEndpoint } from '@waybill/contracts/endpoints/jobs/job-statistics';
import { listApprovalsEndpoint } from '@waybill/contracts/endpoints/jobs/list-approvals';
import { listJobHistoryEndpoint } from '@waybill/contracts/endpoints/jobs/list-job-history';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { resubmitJobEndpoint } from '@waybill/contracts/endpoints/jobs/resubmit-job';
import { resumeJobEndpoint } from '@waybill/contracts/endpoints/jobs/resume-job';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { findQueueEndpoint } from '@waybill/contracts/endpoints/queues/find-queue';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { pauseQueueEndpoint } from '@waybill/contracts/endpoints/queues/pause-queue';
import { resumeQueueEndpoint } from '@waybill/contracts/endpoints/queues/resume-queue';
import {
  findUserSecondFactorEndpoint,
  resetUserSecondFactorEndpoint,
} from '@waybill/contracts/endpoints/users/user-second-factor-endpoint';
import {
  deleteUserSshKeyEndpoint,
  listUserSshKeysEndpoint,
} from '@waybill/contracts/endpoints/users/user-ssh-key-endpoints';
import type { FailureForm } from '@waybill/http-kit/openapi/render-openapi-responses';
import { accessEndpoints } from './access-endpoints.ts';
import { serverSessionEndpoints } from './server-session-endpoints.ts';

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
    endpoints: serverSessionEndpoints,
  },
  access: {
    title: 'Waybill: access',
    description: 'Access tokens for operators and integrators.',
    endpoints: accessEndpoints,
  },
  jobs: {
    title: 'Waybill: job manager',
    description: 'Submit, follow and control jobs.',
    endpoints: [
      submitJobEndpoint,
      listJobsEndpoint,
      findJobEndpoint,
      listJobHistoryEndpoint,
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
      readJobHoursEndpoint,
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
      readConfigurationSchemaEndpoint,
      readDriftEndpoint,
      followConfigurationEndpoint,
      adoptObjectsEndpoint,
      releaseObjectsEndpoint,
      forceObjectEndpoint,
      changeObjectsEndpoint,
      listExpiriesEndpoint,
      ...administrationEndpoints,
      ...administeredPartEndpoints,
      listSecretsEndpoint,
      findSecretEndpoint,
      createSecretEndpoint,
      storeSecretEndpoint,
      changeSecretEndpoint,
      deleteSecretEndpoint,
      listConnectionSshKeysEndpoint,
      findConnectionSshKeyEndpoint,
      generateConnectionSshKeyEndpoint,
      importConnectionSshKeyEndpoint,
      deleteConnectionSshKeyEndpoint,
      listUserSshKeysEndpoint,
      deleteUserSshKeyEndpoint,
      findUserSecondFactorEndpoint,
      resetUserSecondFactorEndpoint,
      explainAccessEndpoint,
      readVfsUsageEndpoint,
      dryRunWorkflowEndpoint,
      ...workflowRevisionEndpoints,
    ],
  },
  'audit-logs': {
    title: 'Waybill: audit logs',
    description: 'Read and verify the tamper-evident audit log.',
    endpoints: [
      listAuditRecordsEndpoint,
      countAuditRecordsEndpoint,
      listActivityEndpoint,
      countActivityEndpoint,
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
