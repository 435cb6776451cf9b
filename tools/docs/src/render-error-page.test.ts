import { errorCodes } from '@waybill/contracts/errors/error-codes';
import { describe, expect, it } from 'vitest';
import { renderErrorPage } from './render-error-page.ts';

describe('the page of the error codes', () => {
  it('documents every code, and nothing else', () => {
    const documented = [...renderErrorPage().text.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
    expect(documented).toEqual(Object.keys(errorCodes).toSorted());
  });
});
