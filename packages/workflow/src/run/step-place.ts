/** Steps of a job at most, with those of all sections and of the workflows that they run. */
export const stepsOfJob = 1_000;

/**
 * The number under which a job keeps what it knows of a step, or of one item of a step with `foreach`: progress, effects and
 * the keys of requests to others. That of a step is its position; those of its items are higher than all positions.
 */
export function placeOf(position: number, item?: number): number {
  return item === undefined ? position : (item + 1) * stepsOfJob + position;
}

/** The position of the step, and the item. */
export function readPlace(place: number): { readonly position: number; readonly item: number | undefined } {
  return { position: place % stepsOfJob, item: place < stepsOfJob ? undefined : Math.floor(place / stepsOfJob) - 1 };
}

/** Whether the number is that of an item. */
export function isItemPlace(place: number): boolean {
  return place >= stepsOfJob;
}

/** The position of the step of a place, in SQL. Places below 0 belong to no step. */
export function positionSql(place: string): string {
  return `${place} % ${stepsOfJob}`;
}

/** Whether a place is that of a step itself, in SQL. */
export function isStepSql(place: string): string {
  return `${place} < ${stepsOfJob}`;
}
