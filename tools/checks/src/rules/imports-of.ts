import { parseSync } from 'oxc-parser';
import { lineAt, type SourceFile } from './source-file.ts';

/** One `import`, `export ... from` or `import()` of a file. */
export interface ImportStatement {
  /** As written, without quotes; undefined if it is computed at run time. */
  readonly specifier: string | undefined;
  readonly line: number;
}

/** Every module that a TypeScript or JavaScript file imports, including types; throws on a syntax error. */
export function importsOf(file: SourceFile): ImportStatement[] {
  const { module, errors } = parseSync(file.path, file.text);
  if (errors[0] !== undefined) throw new Error(`${file.path}: ${errors[0].message}`);
  const statement = (specifier: string | undefined, offset: number): ImportStatement => ({
    specifier,
    line: lineAt(file.text, offset),
  });
  return [
    ...module.staticImports.map(({ moduleRequest, start }) => statement(moduleRequest.value, start)),
    ...module.staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest, start }) => (moduleRequest ? [statement(moduleRequest.value, start)] : [])),
    ...module.dynamicImports.map(({ moduleRequest, start }) =>
      statement(stringLiteral(file.text.slice(moduleRequest.start, moduleRequest.end)), start),
    ),
  ];
}

function stringLiteral(expression: string): string | undefined {
  return /^(['"`])([^'"`$\\]*)\1$/.exec(expression)?.[2];
}
