import { changeObjectsEndpoint } from '@waybill/contracts/endpoints/administration/change-objects';
import {
  applyConfigurationEndpoint,
  exportConfigurationEndpoint,
  planConfigurationEndpoint,
} from '@waybill/contracts/endpoints/administration/configuration-endpoints';
import {
  forceObjectEndpoint,
  readDriftEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { readVfsUsageEndpoint } from '@waybill/contracts/endpoints/administration/read-vfs-usage';
import {
  countActivityEndpoint,
  listActivityEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/activity-endpoints';
import { countAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import { exportAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/export-audit-records';
import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import { verifyAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { readJobHoursEndpoint } from '@waybill/contracts/endpoints/jobs/job-hours';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { readPlatformHealthEndpoint } from '@waybill/contracts/endpoints/platform/read-platform-health';
import { pauseQueueEndpoint } from '@waybill/contracts/endpoints/queues/pause-queue';
import { listUnfinishedUploadsEndpoint } from '@waybill/contracts/endpoints/server-sessions/unfinished-upload-endpoints';
import { expect, it } from 'vitest';
import { limitMs, usualLimitMs } from './time-limits.ts';

it.each([
  ['what is read', 'read', [readPlatformHealthEndpoint]],
  ['what is changed', 'changed', [pauseQueueEndpoint]],
  [
    'what searches much',
    'searched',
    [
      listAuditRecordsEndpoint,
      countAuditRecordsEndpoint,
      listActivityEndpoint,
      countActivityEndpoint,
      listJobsEndpoint,
      readJobHoursEndpoint,
      readVfsUsageEndpoint,
      listUnfinishedUploadsEndpoint,
    ],
  ],
  [
    'what takes long',
    'long',
    [
      readDriftEndpoint,
      exportConfigurationEndpoint,
      planConfigurationEndpoint,
      applyConfigurationEndpoint,
      changeObjectsEndpoint,
      forceObjectEndpoint,
      verifyAuditRecordEndpoint,
      redactAuditRecordsEndpoint,
      exportAuditRecordsEndpoint,
    ],
  ],
] as const)('there is a limit for %s', (_, limit, endpoints) => {
  for (const endpoint of endpoints) expect(usualLimitMs(endpoint), endpoint.id).toBe(limitMs[limit]);
});
