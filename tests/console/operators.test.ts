import { afterAll, beforeAll, describe } from 'vitest';
import { testAccounts } from './operators/account-flows.ts';
import { testCharts } from './operators/chart-flows.ts';
import { testKeptDialogs } from './operators/components/dialog-flows.ts';
import { testFilters } from './operators/components/filter-flows.ts';
import { testNarrowLists } from './operators/components/narrow-list-flows.ts';
import { testExpectations } from './operators/expectation-flows.ts';
import { testIssuerLogins } from './operators/issuer-flows.ts';
import { testJobs } from './operators/job-flows.ts';
import { testListFilters } from './operators/jobs/filter-flows.ts';
import { testResubmissions } from './operators/jobs/resubmission-flows.ts';
import { testLogins } from './operators/login-flows.ts';
import { testNow } from './operators/now-flows.ts';
import { openOperators, type OperatorsRig } from './operators/open-operators.ts';
import { testFocus } from './operators/places/focus-flows.ts';
import { testKeptPlaces } from './operators/places/place-flows.ts';
import { testWaysBack } from './operators/places/way-back-flows.ts';
import { testSubmissions } from './operators/submission-flows.ts';
import { testUnfinishedUploads } from './operators/uploads/upload-flows.ts';
import { testWaits } from './operators/wait-flows.ts';

describe('the console of operators, in a browser', () => {
  let rig: OperatorsRig;
  beforeAll(async () => {
    rig = await openOperators();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  testJobs(() => rig);
  testListFilters(() => rig);
  testResubmissions(() => rig);
  testSubmissions(() => rig);
  testNow(() => rig);
  testFocus(() => rig);
  testWaysBack(() => rig);
  testKeptDialogs(() => rig);
  testNarrowLists(() => rig);
  testFilters(() => rig);
  testCharts(() => rig);
  testExpectations(() => rig);
  testUnfinishedUploads(() => rig);
  testLogins(() => rig);
  testIssuerLogins(() => rig);
  testAccounts(() => rig);
  // Last: its jobs that fail are none of those that others count.
  testWaits(() => rig);
  testKeptPlaces(() => rig);
});
