import { workflowTemplateSchema } from '@waybill/contracts/configuration/workflow-template';
import { workflowTestSchema } from '@waybill/contracts/configuration/workflow-test';
import { describe, expect, it } from 'vitest';
import { dryRun } from './dry-run.ts';

describe('a dry run with placeholders', () => {
  const dependent = {
    name: 'w',
    steps: [
      { name: 'one', uses: 'gzip', with: { source: '/a', target: '/o/a.gz' } },
      { name: 'big', uses: 'log', if: 'steps.one.outputs.size > 3', with: { message: 'big' } },
      { name: 'said', uses: 'log', with: { message: 'steps.one.outputs.size, ${{ steps.big.outputs.message }}' } },
      {
        name: 'sum',
        uses: 'checksum',
        if: "steps.one.status == 'COMPLETED'",
        with: { source: '${{ steps.one.outputs.path }}' },
      },
      { name: 'note', uses: 'log', with: { message: 'steps.one.outputs.size' } },
      {
        name: 'each',
        uses: 'log',
        foreach: "['a', steps.sum.outputs.checksum]",
        with: { message: '${{ item }}' },
      },
    ],
  };
  const dependencies = (steps: object) =>
    dryRun(workflowTemplateSchema.parse(dependent), workflowTestSchema.shape.given.parse({ steps })).steps.map(
      ({ name, status, dependsOn = [] }) => [name, status, ...dependsOn].join(' '),
    );

  it('says which steps depend on a value that is known only in a real run, and on what', () => {
    expect(dependencies({})).toEqual([
      'one COMPLETED',
      'big SKIPPED one',
      'said FAILED big',
      'sum WAITING',
      'note WAITING',
      'each WAITING',
    ]);
  });

  it('knows the path of a placeholder, what was given, and texts that are no expressions', () => {
    expect(dependencies({ one: { outputs: { size: '4' } } })).toEqual([
      'one COMPLETED',
      'big COMPLETED',
      'said COMPLETED',
      'sum COMPLETED',
      'note COMPLETED',
      'each COMPLETED sum',
    ]);
  });
});
