import type { Counts, Stage, StageContext } from './stage.ts';

/**
 * Runs all stages one after the other, even after failures, shows name, time and result, and ends with the line
 * `N passed, N failed` over all of them. A stage that throws, finds nothing to test or is interrupted is one
 * failure.
 */
export async function runStages(stages: readonly Stage[], context: StageContext): Promise<Counts> {
  const total = { passed: 0, failed: 0 };
  const failedStages: string[] = [];
  for (const stage of stages) {
    const { passed, failed } = await runTimed(stage, context);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) failedStages.push(stage.name);
  }
  if (failedStages.length > 0) context.report(`\nnot in order: ${failedStages.join(', ')}`);
  context.report(`${total.passed} passed, ${total.failed} failed`);
  return total;
}

async function runTimed(stage: Stage, context: StageContext): Promise<Counts> {
  context.report(`\n── ${stage.name}`);
  const startedAt = performance.now();
  const counts = await runCounted(stage, context);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  context.report(`   ${stage.name}: ${counts.passed} passed, ${counts.failed} failed in ${seconds} s`);
  return counts;
}

async function runCounted(stage: Stage, context: StageContext): Promise<Counts> {
  if (context.signal.aborted) return failure(context, 'not run: interrupted');
  try {
    const counts = await stage.run(context);
    if (context.signal.aborted) return failure(context, 'interrupted');
    if (counts.passed + counts.failed > 0) return counts;
    if (stage.mayBeEmpty !== true) return failure(context, 'there is nothing to test');
    context.report('   no test depends on what has changed');
    return counts;
  } catch (error) {
    return failure(context, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function failure({ report }: StageContext, message: string): Counts {
  report(`   ${message}`);
  return { passed: 0, failed: 1 };
}
