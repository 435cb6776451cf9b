import { expect, it } from 'vitest';
import { approvals } from '../../texts/english/operators/approvals.ts';
import { expectations } from '../../texts/english/operators/expectations.ts';
import { jobs } from '../../texts/english/operators/jobs.ts';
import { uploads } from '../../texts/english/operators/uploads.ts';
import { webhooks } from '../../texts/english/operators/webhooks.ts';
import { emptyText } from './empty-text.ts';

it.each(Object.entries({ approvals, expectations, jobs, uploads, webhooks }))(
  'the empty list of %s names filters only where some are set',
  (_list, words) => {
    expect(emptyText(words, {})).not.toContain('filter');
    expect(emptyText(words, { actor: 'acme' })).toContain('matches the filters');
  },
);
