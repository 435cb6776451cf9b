import type { Stage } from './stage.ts';

/** Runs the tests of several projects of vitest. */
export type RunProjects = (projects: readonly string[]) => Stage['run'];

/**
 * Joins the stages of tests that follow each other and may run side by side to one: where the tests of one project wait, those of
 * another compute.
 */
export function joinTestStages(stages: readonly Stage[], runProjects: RunProjects): readonly Stage[] {
  const joined: Stage[] = [];
  for (const stage of stages) {
    const previous = joined.at(-1);
    if (stage.projects === undefined || previous?.projects === undefined) {
      joined.push(stage);
      continue;
    }
    const projects = [...previous.projects, ...stage.projects];
    joined.splice(-1, 1, { name: `${previous.name}, ${stage.name}`, projects, run: runProjects(projects) });
  }
  return joined;
}
