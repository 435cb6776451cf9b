import { once } from 'node:events';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import pg from 'pg';
import type { WorkerRig } from './worker-rig.ts';

/** When a step has taken effect and is not yet completed, as a trigger of PostgreSQL has it. */
export const beforeCompletion = (task: string): string =>
  `BEFORE UPDATE ON jobs.steps FOR EACH ROW WHEN (NEW.status = 'COMPLETED' AND NEW.task = '${task}')`;

/**
 * Starts a worker and kills it when a statement of it has come to `place`, a trigger as PostgreSQL writes it. Its transaction is
 * undone. `meanwhile` runs when the worker is gone; then another one is started.
 */
export async function killWorkerAt(
  rig: WorkerRig,
  place: string,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  await rig.query(`CREATE OR REPLACE FUNCTION public.held() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END'`);
  await rig.query(`CREATE TRIGGER held ${place} EXECUTE FUNCTION public.held()`);
  const holder = new pg.Client({ connectionString: rig.platform.database.url });
  await holder.connect();
  await holder.query('SELECT pg_advisory_lock(4711)');
  const victim = rig.start('victim');
  const waiting = `FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const isHeld = async (): Promise<boolean> => (await rig.query(`SELECT ${waiting}`)).length > 0;
  await waitFor(isHeld, { what: 'the statement to be held', timeoutMs: 30_000 });
  victim.kill('SIGKILL');
  await once(victim, 'exit');
  await rig.query(`SELECT pg_terminate_backend(pid) ${waiting}`);
  await holder.end();
  await rig.query(`DROP TRIGGER held ON ${existing(/ON (\S+)/u.exec(place)?.[1])}`);
  await meanwhile();
  rig.start('heir');
}
