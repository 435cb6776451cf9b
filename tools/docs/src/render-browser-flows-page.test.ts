import { describe, expect, it } from 'vitest';
import { flowsIn, renderBrowserFlowsPage } from './render-browser-flows-page.ts';

describe('the page of tested flows', () => {
  it('names each test after the suite around it', () => {
    const source = `
export function testJobs(): void {
  describe('jobs', () => {
    it('are listed', async () => {});
    describe('of one queue', () => {
      it.each([
        ['all', '/jobs'],
      ])(
        'show %s',
        async () => {},
      );
    });
    it('end', async () => {
      await page.getByText('it(');
    });
  });
  it('shows "nothing"', () => {});
}
`;
    expect(flowsIn(source)).toEqual(['Jobs are listed', 'Of one queue show ...', 'Jobs end', 'Shows "nothing"']);
  });

  it('has the flows of both applications, each with its file', () => {
    const { text } = renderBrowserFlowsPage();
    expect(text).toMatch(/^- .*with the keyboard alone/mu);
    for (const file of [
      'partners/file-flows.ts',
      'operators/job-flows.ts',
      'operators-records.test.ts',
      'large/upload-flows.ts',
    ])
      expect(text).toContain(`[\`${file}\`](../tests/console/${file}):\n\n- `);
  });
});
