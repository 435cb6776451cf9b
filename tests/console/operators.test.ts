import { afterAll, beforeAll, describe } from 'vitest';
import { testJobs } from './operators/job-flows.ts';
import { testLogins } from './operators/login-flows.ts';
import { testNow } from './operators/now-flows.ts';
import { openOperators, type OperatorsRig } from './operators/open-operators.ts';

describe('the console of operators, in a browser', () => {
  let rig: OperatorsRig;
  beforeAll(async () => {
    rig = await openOperators();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  testJobs(() => rig);
  testNow(() => rig);
  testLogins(() => rig);
});
