import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stampOfSources } from './web-applications.ts';

let workspace: string;
const write = async (file: string, text: string): Promise<void> => {
  const place = path.join(workspace, file);
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, text);
};

beforeEach(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'waybill-web-build-'));
  for (const file of [
    'pnpm-lock.yaml',
    'tsconfig.base.json',
    'packages/console/tsconfig.json',
    'packages/console/package.json',
    'packages/console/src/operators/main.tsx',
    'packages/contracts/src/values/name.ts',
    'packages/filebox/src/store.ts',
    'tools/web-build/src/main.ts',
  ])
    await write(file, file);
  const linked = path.join(workspace, 'packages/console/node_modules/@waybill');
  await mkdir(linked, { recursive: true });
  await symlink('../../../contracts', path.join(linked, 'contracts'));
});
afterEach(() => rm(workspace, { recursive: true }));

it.each([
  'packages/console/src/operators/main.tsx',
  'packages/console/src/operators/new-page.tsx',
  'packages/contracts/src/values/name.ts',
  'packages/console/package.json',
  'pnpm-lock.yaml',
  'tools/web-build/src/main.ts',
])('builds again when %s changes', async (file) => {
  const before = await stampOfSources(workspace);
  expect(await stampOfSources(workspace)).toBe(before);
  await write(file, 'changed');
  expect(await stampOfSources(workspace)).not.toBe(before);
});

it('does not build again for what the pages do not import', async () => {
  const before = await stampOfSources(workspace);
  await write('packages/filebox/src/store.ts', 'changed');
  expect(await stampOfSources(workspace)).toBe(before);
});
