import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { expect, it } from 'vitest';
import { sortHits } from './sort-hits.ts';

const hit = (id: string, size: string, putDate: string, directory = false): FileElement => ({
  id,
  uri: `http://127.0.0.1/2.0/files${id}`,
  filename: id.slice(id.lastIndexOf('/') + 1),
  owner: 'acme',
  directory,
  attributes: { size, putDate },
});

const hits = [
  hit('/b/2.txt', '10', '2026-03-02T08:00:00.000Z'),
  hit('/a/3.txt', '9', '2026-03-03T08:00:00.000Z'),
  hit('/1.txt', '100', ''),
  hit('/a/2.txt', '10', '2026-03-01T08:00:00.000Z'),
  hit('/a/0', '', '2026-03-04T08:00:00.000Z', true),
];

it.each([
  ['name', ['/a/0', '/1.txt', '/a/2.txt', '/b/2.txt', '/a/3.txt']],
  ['folder', ['/1.txt', '/a/0', '/a/2.txt', '/a/3.txt', '/b/2.txt']],
  ['size', ['/a/0', '/a/3.txt', '/a/2.txt', '/b/2.txt', '/1.txt']],
  ['put_date', ['/1.txt', '/a/2.txt', '/b/2.txt', '/a/3.txt', '/a/0']],
] as const)('sorts hits by %s, in both directions', (sort, paths) => {
  const order = { sort, filter: '', isDeep: true } as const;
  const sorted = (direction: 'ASC' | 'DESC') => sortHits(hits, { ...order, direction }).map(({ id }) => id);
  expect(sorted('ASC')).toEqual(paths);
  expect(sorted('DESC')).toEqual(paths.toReversed());
});
