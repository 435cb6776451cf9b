import { houseRules } from '../rules/house-rules.ts';
import { readSourceTree } from '../rules/read-source-tree.ts';
import { runProgram } from './run-program.ts';
import { runTests } from './run-tests.ts';
import type { Stage, StageContext } from './stage.ts';

const integrationProjects = ['integration', 'integration-isolated'];

/** The stages of `npm test`, in this order: quick and informative ones first. */
export const stages: readonly Stage[] = [
  { name: 'format', run: (context) => runCheck(context, 'oxfmt', '--check', '.') },
  { name: 'lint', run: (context) => runCheck(context, 'oxlint', '--type-aware') },
  { name: 'types', run: (context) => runCheck(context, 'tsc', '--noEmit', '--project', '.') },
  // Pages for browsers have other globals than Node.
  { name: 'page-types', run: (context) => runCheck(context, 'tsc', '--noEmit', '--project', 'packages/console') },
  { name: 'dead-code', run: (context) => runCheck(context, 'knip') },
  { name: 'house-rules', run: checkHouseRules },
  { name: 'unit', run: (context) => runTests(context, ['unit']) },
  testsOf('integration', integrationProjects),
  testsOf('fuzz', ['fuzz']),
  testsOf('end-to-end', ['end-to-end']),
];

/** Stages that run only if they are named: they take long, or need something that not every machine has. */
export const stagesOnDemand: readonly Stage[] = [{ name: 'clients', run: (context) => runTests(context, ['clients']) }];

/** The quick stages over what has changed since a commit: for quick feedback, not as the final check. */
export function stagesOfChange(files: readonly string[], changedSince: string): readonly Stage[] {
  const code = files.filter((path) => /\.(tsx?|js)$/.test(path));
  const texts = files.filter((path) => /\.(ts|js|json|md|ya?ml)$/.test(path) && !path.endsWith('pnpm-lock.yaml'));
  const types = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];
  const tests = (name: string, projects: readonly string[]): Stage => ({
    name,
    mayBeEmpty: true,
    run: (context) => runTests(context, projects, changedSince),
  });
  return [
    ...(texts.length > 0
      ? [{ name: 'format', run: (context: StageContext) => runCheck(context, 'oxfmt', '--check', ...texts) }]
      : []),
    ...(code.length > 0
      ? [{ name: 'lint', run: (context: StageContext) => runCheck(context, 'oxlint', '--type-aware', ...code) }]
      : []),
    { name: 'types', run: (context) => runCheck(context, 'tsc', '--noEmit', '--project', '.', ...types) },
    { name: 'house-rules', run: checkHouseRules },
    tests('unit', ['unit']),
    tests('integration', integrationProjects),
  ];
}

function testsOf(name: string, projects: readonly string[]): Stage {
  return { name, projects, run: (context) => runTests(context, projects) };
}

async function runCheck(context: StageContext, program: string, ...args: string[]) {
  const exitCode = await runProgram(program, args, context);
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function checkHouseRules({ root, report }: StageContext) {
  const tree = await readSourceTree(root);
  let failed = 0;
  for (const [name, check] of Object.entries(houseRules)) {
    const findings = check(tree);
    report(`   ${name}: ${findings.length === 0 ? 'in order' : `${findings.length} to fix`}`);
    for (const { path, line, message } of findings)
      report(`     ${path}${line === undefined ? '' : `:${line}`} ${message}`);
    if (findings.length > 0) failed += 1;
  }
  return { passed: Object.keys(houseRules).length - failed, failed };
}
