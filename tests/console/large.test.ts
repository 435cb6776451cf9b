import { afterAll, beforeAll, describe } from 'vitest';
import { testLargeFolder } from './large/folder-flows.ts';
import { testLongLists } from './large/list-flows.ts';
import { testLargeTrees } from './large/tree-flows.ts';
import { testUploads } from './large/upload-flows.ts';
import { openPartners, type PartnersRig } from './partners/open-partners.ts';

describe('much at once, in a browser', () => {
  let rig: PartnersRig;
  beforeAll(async () => {
    rig = await openPartners();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  testLargeFolder(() => rig);
  testLongLists(() => rig);
  testLargeTrees(() => rig);
  testUploads(() => rig);
});
