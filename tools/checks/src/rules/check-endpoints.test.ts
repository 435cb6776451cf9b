import { describe, expect, it } from 'vitest';
import { checkEndpoints } from './check-endpoints.ts';

const path = 'packages/contracts/src/endpoints/jobs/find-job.ts';
const text = `\nexport const findJobEndpoint = defineEndpoint({\n  id: 'findJob',\n});\n`;

describe('the check of endpoints', () => {
  it('finds a contract that no document describes', () => {
    expect(checkEndpoints([{ path, text }], [])).toMatchObject([{ path, line: 2 }]);
  });

  it('is content with a contract that is described', () => {
    expect(checkEndpoints([{ path, text }], ['findJob'])).toEqual([]);
  });
});
