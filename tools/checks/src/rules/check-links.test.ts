import { expect, it } from 'vitest';
import { checkLinks } from './check-links.ts';

const tree = [
  { path: 'docs/jobs.md', text: '# Jobs\n\n## `waybill` and you, at 2.0\n\n## Again\n\n## Again\n' },
  { path: 'deploy/demo/platform.yaml', text: '' },
];

const findingsOf = (text: string, path = 'docs/page.md') => checkLinks([...tree, { path, text }]);

it.each([
  '[jobs](jobs.md)',
  '[a heading](jobs.md#waybill-and-you-at-20)',
  '[the second of a name](jobs.md#again-1)',
  '[the demo](../deploy/demo/platform.yaml)',
  '[a folder](../deploy/demo), [with a slash](../deploy/)',
  '## Here\n\n[here](#here)',
  '[elsewhere](https://example.org/x.md#y), [mail](mailto:a@example.org)',
  '```sh\nsed "s/[0-9](nothing.md)/"\n```',
])('follows %j', (text) => {
  expect(findingsOf(text)).toEqual([]);
});

it.each(['jobs.html', 'jobs.md#agian', '#nowhere', '../docs/job.md', '../deploy/demo/platform.yaml#demo', 'jobs'])(
  'finds that %s leads nowhere, and its line',
  (target) => {
    expect(findingsOf(`# Page\n\n[x](${target})`)).toEqual([
      { path: 'docs/page.md', line: 3, message: `the link leads nowhere: ${target}` },
    ]);
  },
);
