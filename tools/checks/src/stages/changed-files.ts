import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Returns the files that differ from a commit in the working tree, untracked ones included, deleted ones not; paths from the root.
 * @throws Error when git knows no such commit
 */
export async function changedFiles(root: string, since: string): Promise<string[]> {
  const git = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await run('git', args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    return stdout.split('\0').filter((path) => path !== '');
  };
  const tracked = await git('diff', '--name-only', '--relative', '--diff-filter=d', '-z', since);
  const untracked = await git('ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set([...tracked, ...untracked])].toSorted();
}
