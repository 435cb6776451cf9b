import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Returns the files in the working tree that differ from a commit, including untracked ones, without deleted ones;
 * paths from the root.
 * @throws Error if git does not know the commit
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
