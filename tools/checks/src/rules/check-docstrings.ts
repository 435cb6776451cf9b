import { parseSync } from 'oxc-parser';
import { type Finding, lineAt, type SourceFile } from './source-file.ts';

const checkedFiles = /^(packages|services|tools)\/[^/]+\/src\/.*\.tsx?$/;

/** Every exported declaration has a docstring directly above it. */
export function checkDocstrings(tree: readonly SourceFile[]): Finding[] {
  return tree.filter(({ path }) => checkedFiles.test(path) && !path.endsWith('.test.ts')).flatMap(undocumentedExports);
}

function undocumentedExports({ path, text }: SourceFile): Finding[] {
  const { program, comments } = parseSync(path, text);
  const docstrings = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  const isDocumented = (start: number) =>
    docstrings.some((comment) => comment.end <= start && text.slice(comment.end, start).trim() === '');
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration || isDocumented(statement.start))
      return [];
    return [{ path, line: lineAt(text, statement.start), message: 'an export without a docstring' }];
  });
}
