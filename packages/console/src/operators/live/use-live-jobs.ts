import { followJobsEndpoint } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import { useState } from 'react';
import { usePermissions } from '../api/permissions.ts';
import { refreshEveryMs, useLiveQueries } from './use-live-queries.ts';

const keys = ['jobs'] as const;

/** Reads what pages show of jobs again when jobs change. Returns how often it must be read in any case, in milliseconds. */
export function useLiveJobs(): number {
  const [isLive, setLive] = useState(false);
  // The changes of all jobs are not for roles that are limited to actors.
  const mayFollow = usePermissions().mayForAll('jobs:read');
  useLiveQueries({ endpoint: followJobsEndpoint, keys, setLive }, mayFollow);
  return isLive ? refreshEveryMs.live : refreshEveryMs.alone;
}
