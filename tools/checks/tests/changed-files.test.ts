import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it } from 'vitest';
import { changedFiles } from '../src/stages/changed-files.ts';

it('changes since a commit are modified and untracked files, not deleted and ignored ones', async () => {
  await using folder = await createTestFolder();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder.path, stdio: 'pipe' });
  const write = (path: string, text: string) => writeFile(join(folder.path, path), text);
  git('init', '--quiet');
  await mkdir(join(folder.path, 'src'));
  await Promise.all(['same.ts', 'edited.ts', 'deleted.ts', 'src/é and space.ts'].map((path) => write(path, '1')));
  await write('.gitignore', 'ignored.ts\n');
  git('add', '--all');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message=begin');

  await Promise.all(['edited.ts', 'new.ts', 'ignored.ts', 'src/é and space.ts'].map((path) => write(path, '2')));
  await rm(join(folder.path, 'deleted.ts'));
  expect(await changedFiles(folder.path, 'HEAD')).toEqual(['edited.ts', 'new.ts', 'src/é and space.ts']);
  await expect(changedFiles(folder.path, 'no-such-commit')).rejects.toThrow('no-such-commit');
});
