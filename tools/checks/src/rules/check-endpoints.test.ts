import { describe, expect, it } from 'vitest';
import { checkEndpoints } from './check-endpoints.ts';

const path = 'packages/contracts/src/endpoints/jobs/find-job.ts';
const text = `\nexport const findJobEndpoint = defineEndpoint({\n  id: 'findJob',\n});\n`;

describe('the check of endpoints', () => {
  it('finds an undocumented contract', () => {
    expect(checkEndpoints([{ path, text }], [])).toMatchObject([{ path, line: 2 }]);
  });

  it('finds one that shares a part with others', () => {
    const spread = text.replace("id: 'findJob'", "...shared,\n  id: 'findJob'");
    expect(checkEndpoints([{ path, text: spread }], [])).toMatchObject([{ path, line: 2 }]);
  });

  it('accepts a contract that is documented', () => {
    expect(checkEndpoints([{ path, text }], ['findJob'])).toEqual([]);
  });
});
