import { afterAll, beforeAll, describe } from 'vitest';
import { testAccess } from './partners/access-flows.ts';
import { testAccounts } from './partners/account-flows.ts';
import { testAddresses } from './partners/address-flows.ts';
import { testConnections } from './partners/connection-flows.ts';
import { testContracts } from './partners/contract-flows.ts';
import { testDetails } from './partners/detail-flows.ts';
import { testDocuments } from './partners/document-flows.ts';
import { testDropBoxes } from './partners/drop-box-flows.ts';
import { testFiles } from './partners/file-flows.ts';
import { testHangingTabs } from './partners/hang-flows.ts';
import { testLogouts } from './partners/logout-flows.ts';
import { testNarrowLists } from './partners/narrow-flows.ts';
import { openPartners, type PartnersRig } from './partners/open-partners.ts';
import { testPrinting } from './partners/print-flows.ts';
import { testQueues } from './partners/queue-flows.ts';
import { testSearches } from './partners/search-flows.ts';
import { testSelections } from './partners/selection-flows.ts';
import { testTabs } from './partners/tab-flows.ts';

describe('the pages of partners, in a browser', () => {
  let rig: PartnersRig;
  beforeAll(async () => {
    rig = await openPartners();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  testAccess(() => rig);
  testAddresses(() => rig);
  testContracts(() => rig);
  testConnections(() => rig);
  testDetails(() => rig);
  testDocuments(() => rig);
  testSearches(() => rig);
  testDropBoxes(() => rig);
  testFiles(() => rig);
  testSelections(() => rig);
  testQueues(() => rig);
  testPrinting(() => rig);
  testAccounts(() => rig);
  testLogouts(() => rig);
  testNarrowLists(() => rig);
  testTabs(() => rig);
  testHangingTabs(() => rig);
});
