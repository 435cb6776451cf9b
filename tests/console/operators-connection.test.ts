import { afterAll, beforeAll, describe } from 'vitest';
import { testClocks } from './operators/connection/clock-flows.ts';
import { testFirstPasswordLogins } from './operators/connection/first-password-login-flows.ts';
import { testHangingServices } from './operators/connection/hanging-flows.ts';
import { testLogouts } from './operators/connection/logout-flows.ts';
import { testLostCode } from './operators/connection/lost-code-flows.ts';
import { testOldData } from './operators/connection/old-data-flows.ts';
import { testOtherUsers } from './operators/connection/other-user-flows.ts';
import { testChangedPermissions } from './operators/connection/permission-flows.ts';
import { testWindows } from './operators/connection/window-flows.ts';
import { openOperators, type OperatorsRig } from './operators/open-operators.ts';

describe('the console and its connection to the server, in a browser', () => {
  let rig: OperatorsRig;
  beforeAll(async () => {
    rig = await openOperators();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  testOtherUsers(() => rig);
  testWindows(() => rig);
  testHangingServices(() => rig);
  testOldData(() => rig);
  testLostCode(() => rig);
  testLogouts(() => rig);
  testChangedPermissions(() => rig);
  testClocks(() => rig);
  testFirstPasswordLogins(() => rig);
});
