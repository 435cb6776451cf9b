/**
 * SQL for whether the actor of a job in `jobs.jobs` is the one that has its name now, as `isActorOf` decides it. It is a CASE, so that
 * PostgreSQL still reads the jobs in the order of an index.
 */
export const isOfPresentActor = `CASE WHEN EXISTS (SELECT FROM directory.actors WHERE actors.name = jobs.actor
    AND CASE WHEN jobs.actor_id IS NULL THEN date_trunc('milliseconds', actors.created_at) <= jobs.created_at
      ELSE actors.id = jobs.actor_id END)
  THEN true ELSE false END`;
