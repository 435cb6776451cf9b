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
  hit('/b/1', '', '', true),
];

it.each([
  ['name', ['/a/0', '/b/1'], ['/1.txt', '/a/2.txt', '/b/2.txt', '/a/3.txt']],
  ['folder', ['/a/0', '/b/1'], ['/1.txt', '/a/2.txt', '/a/3.txt', '/b/2.txt']],
  ['size', ['/a/0', '/b/1'], ['/a/3.txt', '/a/2.txt', '/b/2.txt', '/1.txt']],
  ['put_date', ['/b/1', '/a/0'], ['/1.txt', '/a/2.txt', '/b/2.txt', '/a/3.txt']],
] as const)('sorts hits by %s, in both directions, folders first', (sort, folders, files) => {
  const order = { sort, filter: '', isDeep: true } as const;
  const sorted = (direction: 'ASC' | 'DESC') => sortHits(hits, { ...order, direction }).map(({ id }) => id);
  expect(sorted('ASC')).toEqual([...folders, ...files]);
  expect(sorted('DESC')).toEqual([...folders.toReversed(), ...files.toReversed()]);
});
