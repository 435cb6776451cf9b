import type { Finding, SourceFile } from './source-file.ts';

/** Names that do not describe the content. */
const emptyNames = new Set(
  ['index', 'util', 'utils', 'helper', 'helpers', 'common', 'misc', 'shared', 'lib', 'types', 'constants'].flatMap(
    (name) => [name, `${name}s`],
  ),
);

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config)?$/;

/** Names of folders and source files: kebab-case, descriptive, one subject. */
export function checkFileNames(tree: readonly SourceFile[]): Finding[] {
  return tree.flatMap(({ path }) => {
    const message = refusal(path);
    return message === undefined ? [] : [{ path, message }];
  });
}

function refusal(path: string): string | undefined {
  const segments = path.split('/');
  const empty = segments.find((segment) => emptyNames.has(segment.replace(/\..*$/, '')));
  if (empty !== undefined) return `"${empty}" does not describe the content: name the subject`;
  if (!/\.(tsx?|js)$/.test(path)) return undefined;
  const stem = (segments.at(-1) ?? '').replace(/\.(tsx?|js)$/, '').replace(/^\d{4}_/, '');
  if (!kebabCase.test(stem)) return 'file names are kebab-case';
  return /-and-/.test(stem) && !stem.endsWith('.test') ? 'a name that needs "and" is two files' : undefined;
}
