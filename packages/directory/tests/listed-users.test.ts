import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { expect, onTestFinished, test } from 'vitest';
import { listEntities } from '../src/sources/list-entities.ts';
import { openTestPlatform } from './open-test-platform.ts';

test('a page of many users is read in its order, by name, actor or enabled, without sorting all of them', async () => {
  const platform = await openTestPlatform();
  onTestFinished(() => platform.close());
  await platform.query(`
    INSERT INTO directory.actors (name, definition)
    SELECT 'actor' || n, jsonb_build_object('name', 'actor' || n, 'type', 'Partner') FROM generate_series(1, 50) n`);
  await platform.query(`
    INSERT INTO directory.partner_users (actor_id, name, groups, enabled, definition)
    SELECT a.id, 'user' || n, '{}', n % 20 <> 0,
           jsonb_build_object('name', 'user' || n, 'actor', a.name, 'groups', '[]'::jsonb, 'enabled', n % 20 <> 0)
      FROM generate_series(1, 3000) n JOIN directory.actors a ON a.name = 'actor' || (n % 50 + 1)`);
  await platform.query('ANALYZE directory.partner_users');
  const db = connectPostgres({ url: platform.databaseUrl, applicationName: 'test', poolSize: 1 });
  const page = { entityType: 'External User', descending: false, limit: 11 } as const;
  const actor = { setting: 'actor', byDefault: undefined };
  const enabled = { setting: 'enabled', byDefault: true };
  expect((await listEntities(db, page)).map(({ name }) => name).slice(0, 3)).toEqual(['user1', 'user10', 'user100']);
  const byActor = await listEntities(db, { ...page, sort: actor });
  expect(byActor.map(({ sortValue }) => sortValue)).toEqual(Array.from({ length: 11 }, () => 'actor1'));
  const disabled = await listEntities(db, { ...page, sort: enabled });
  expect(new Set(disabled.map(({ sortValue }) => sortValue))).toEqual(new Set([false]));
  const last = byActor.at(-1);
  const after = { name: last?.name ?? '', id: last?.id ?? '', value: 'actor1' };
  const next = await listEntities(db, { ...page, sort: actor, after });
  expect(next.map(({ name }) => name)).not.toContain(last?.name);
  // The statistics of a connection are complete when it has ended.
  await db.destroy();
  const used = await platform.query(
    `SELECT indexrelname AS name FROM pg_stat_user_indexes WHERE indexrelname LIKE 'partner_users_by_%' AND idx_scan > 0 ORDER BY 1`,
  );
  expect(used.map(({ name }) => name)).toEqual([
    'partner_users_by_actor',
    'partner_users_by_enabled',
    'partner_users_by_name',
  ]);
});
