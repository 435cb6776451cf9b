import { expect, it } from 'vitest';
import { parseArguments } from './parse-arguments.ts';

it.each([
  [[], { stages: [], changedSince: undefined }],
  [['lint', 'unit'], { stages: ['lint', 'unit'], changedSince: undefined }],
  [['--changed'], { stages: [], changedSince: 'HEAD' }],
  [['--changed=main', 'unit'], { stages: ['unit'], changedSince: 'main' }],
  [['unit', '--changed'], { stages: ['unit'], changedSince: 'HEAD' }],
])('reads %j', (args, expected) => {
  expect(parseArguments(args)).toEqual(expected);
});
