import { houseRules } from '../rules/house-rules.ts';
import { readSourceTree } from '../rules/read-source-tree.ts';
import { runProgram } from './run-program.ts';
import { runTests } from './run-tests.ts';
import type { Stage, StageContext } from './stage.ts';

/** All that `npm test` does, in this order: what is quick and tells most comes first. */
export const stages: readonly Stage[] = [
  { name: 'format', run: (context) => runCheck(context, 'oxfmt', '--check', '.') },
  { name: 'lint', run: (context) => runCheck(context, 'oxlint', '--type-aware') },
  { name: 'types', run: (context) => runCheck(context, 'tsc', '--noEmit', '--project', '.') },
  { name: 'dead-code', run: (context) => runCheck(context, 'knip') },
  { name: 'house-rules', run: checkHouseRules },
  { name: 'unit', run: (context) => runTests(context, 'unit') },
  { name: 'integration', run: (context) => runTests(context, 'integration') },
  { name: 'fuzz', run: (context) => runTests(context, 'fuzz') },
  { name: 'end-to-end', run: (context) => runTests(context, 'end-to-end') },
];

/** What runs when it is named, and only then: it takes long, or needs what not every machine has. */
export const stagesOnDemand: readonly Stage[] = [{ name: 'clients', run: (context) => runTests(context, 'clients') }];

async function runCheck(context: StageContext, program: string, ...args: string[]) {
  const exitCode = await runProgram(program, args, context);
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function checkHouseRules({ root, report }: StageContext) {
  const tree = await readSourceTree(root);
  let failed = 0;
  for (const [name, check] of Object.entries(houseRules)) {
    const findings = check(tree);
    report(`   ${name}: ${findings.length === 0 ? 'in order' : `${findings.length} to mend`}`);
    for (const { path, line, message } of findings)
      report(`     ${path}${line === undefined ? '' : `:${line}`} ${message}`);
    if (findings.length > 0) failed += 1;
  }
  return { passed: Object.keys(houseRules).length - failed, failed };
}
