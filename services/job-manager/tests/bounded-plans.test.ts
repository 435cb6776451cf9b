import { describe, expect, it } from 'vitest';
import { oneConfiguredManager, team, variables } from './configuration-requests.ts';

const { site, planOf, applied } = oneConfiguredManager();

/** Plans of as many sources, of a user, as if they had been made an hour ago. */
async function storePlans(user: string, amount: number, bytes: number): Promise<void> {
  await site.platform.database.query(
    `INSERT INTO directory.configuration_plans (id, source, file, content, counts, created_by, created_at, expires_at)
     SELECT gen_random_uuid(), $1 || n, '', convert_to(repeat('x', $3::int), 'UTF8'), '{}', $1,
       now() - interval '1 hour' + n * interval '1 second', now() + interval '1 hour'
     FROM generate_series(1, $2::int) AS n`,
    [user, String(amount), String(bytes)],
  );
}

async function keptOf(user: string): Promise<{ plans: number; oldest: unknown }> {
  const rows = await site.platform.database.query(
    'SELECT source FROM directory.configuration_plans WHERE created_by = $1 ORDER BY created_at',
    [user],
  );
  return { plans: rows.length, oldest: rows[0]?.['source'] };
}

describe('plans of ever other sources', () => {
  it('are kept for each user up to a number, the newest ones, and take no plan of another user away', async () => {
    await storePlans('other', 120, 1);
    await storePlans('admin', 120, 1);
    const plan = await planOf(team(), { variables });
    expect([await keptOf('admin'), await keptOf('other')]).toEqual([
      { plans: 100, oldest: 'admin22' },
      { plans: 120, oldest: 'other1' },
    ]);
    await applied(plan);
  });

  it('are kept for each user up to a size', async () => {
    await storePlans('admin', 4, 40 * 1024 ** 2);
    await planOf(team(), { variables });
    expect(await keptOf('admin')).toEqual({ plans: 4, oldest: 'admin2' });
  });

  it('are kept together up to a number', async () => {
    await storePlans('other', 1_200, 1);
    const plan = await planOf(team(), { variables });
    expect([await keptOf('other'), await keptOf('admin')]).toMatchObject([
      { plans: 999, oldest: 'other202' },
      { plans: 1 },
    ]);
    await applied(plan);
  });
});
