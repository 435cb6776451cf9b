import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const binaries = join(root, 'node_modules', '.bin');

/** Runs a program of the workspace over a package of one file, and resolves with its exit code and output. */
function run(program: string, args: readonly string[], file: string, text: string) {
  return runOver(program, args, {
    'package.json': '{ "name": "example", "version": "1.0.0", "type": "module" }',
    'tsconfig.json': JSON.stringify({ extends: join(root, 'tsconfig.base.json'), include: ['src'] }),
    [file]: text,
  });
}

async function runOver(program: string, args: readonly string[], files: Readonly<Record<string, string>>) {
  await using folder = await createTestFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), content);
  }
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'));
  return await new Promise<{ exitCode: number; printed: string }>((resolve) => {
    const env = { ...process.env, PATH: `${binaries}:${process.env['PATH'] ?? ''}` };
    execFile(join(binaries, program), [...args], { cwd: folder.path, env }, (error, stdout, stderr) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, printed: stdout + stderr });
    });
  });
}

const inFunction = (body: string) =>
  `/** Example. */\nexport async function example(given: unknown): Promise<unknown> {\n${body}\n  return await Promise.resolve(given);\n}\n`;

describe('the configuration of the linter', () => {
  const lint = (text: string, file = 'src/example.ts') =>
    run('oxlint', ['-c', join(root, '.oxlintrc.json'), '--type-aware', 'src'], file, text);

  it('accepts ordinary code', async () => {
    expect(await lint(inFunction('  await Promise.resolve();'))).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ['no-floating-promises', inFunction('  Promise.resolve();')],
    ['no-misused-promises', inFunction('  setTimeout(async () => { await Promise.resolve(); }, 1);')],
    ['await-thenable', inFunction('  await 1;')],
    ['no-explicit-any', inFunction('  const other: any = given;\n  await Promise.resolve(String(other));')],
    ['no-non-null-assertion', inFunction('  await Promise.resolve([given][0]!);')],
    [
      'switch-exhaustiveness-check',
      `/** Example. */\nexport function example(side: 'a' | 'b'): string {\n  switch (side) {\n    case 'a':\n      return 'x';\n  }\n  return 'y';\n}\n`,
    ],
    ['no-console', inFunction('  console.log(given);')],
    ['no-process-env', inFunction(`  await Promise.resolve(process.env['HOME']);`)],
    ['no-process-exit', inFunction('  process.exit(1);')],
    ['max-lines-per-function', inFunction('  await Promise.resolve(1);\n'.repeat(51))],
    ['max-lines', Array.from({ length: 251 }, (_, n) => `/** Number. */\nexport const n${n} = ${n};\n`).join('')],
    ['no-default-export', 'export default 1;\n'],
  ])('refuses by %s', async (rule, text) => {
    const { exitCode, printed } = await lint(text);
    expect(printed).toContain(`(${rule})`);
    expect(exitCode).toBe(1);
  });

  it('refuses a skipped test', async () => {
    const text = `import { expect, it } from 'vitest';\n\nit.skip('holds', () => {\n  expect(1).toBe(1);\n});\n`;
    expect((await lint(text, 'src/example.test.ts')).printed).toContain('(no-disabled-tests)');
  });
});

describe('the configuration of the formatter', () => {
  it.each([
    ['double quotes', 'export const a = "a";\n'],
    ['no semicolon', `export const a = 'a'\n`],
    ['four spaces', 'export const a = () => {\n    return 1;\n};\n'],
  ])('refuses %s', async (_, text) => {
    const config = join(root, '.oxfmtrc.json');
    expect(await run('oxfmt', ['-c', config, '--check', 'src'], 'src/a.ts', text)).toMatchObject({ exitCode: 1 });
  });
});

describe('the configuration of the compiler', () => {
  it.each([
    ['an index that may be absent', 'export const a: string = [""][0];\n'],
    ['undefined for an optional property', 'export const a: { b?: string } = { b: undefined };\n'],
    ['syntax that Node cannot strip', 'export enum A {\n  B,\n}\n'],
    ['an import without `type`', `import { ServerOptions } from 'node:http';\nexport type A = ServerOptions;\n`],
  ])('refuses %s', async (_, text) => {
    const { exitCode, printed } = await run('tsc', ['--noEmit', '-p', '.'], 'src/a.ts', text);
    expect(printed).toContain('src/a.ts');
    expect(exitCode).not.toBe(0);
  });
});

describe('the configuration of the dead-code check', () => {
  it('refuses an unused export, in a package of which any file may be imported', async () => {
    const { exitCode, printed } = await runOver('knip', ['--no-config-hints'], {
      'package.json': '{ "name": "example", "version": "1.0.0", "type": "module", "workspaces": ["packages/*"] }',
      'knip.json': await readFile(join(root, 'knip.json'), 'utf8'),
      'packages/one/package.json': '{ "name": "one", "version": "1.0.0", "exports": { "./*": "./src/*.ts" } }',
      'packages/one/src/a.ts': `import { used } from './b.ts';\n\nconsole.log(used);\n`,
      'packages/one/src/b.ts': 'export const used = 1;\nexport const unused = 2;\n',
    });
    expect(printed).toMatch(/unused +packages\/one\/src\/b\.ts/);
    expect(exitCode).toBe(1);
  });
});
