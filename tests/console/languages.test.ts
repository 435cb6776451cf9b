import { afterAll, beforeAll, describe } from 'vitest';
import { testLanguages } from './languages/language-flows.ts';
import { type LanguagesRig, openLanguages } from './languages/open-languages.ts';

describe('the pages in another language', () => {
  let rig: LanguagesRig;
  beforeAll(async () => {
    rig = await openLanguages();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  testLanguages(() => rig);
});
