import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, test } from 'vitest';
import { listen } from '../src/listen.ts';

test('notifications are heard, also after the connection was cut', async () => {
  await using database = await createTestDatabase();
  const heard: string[] = [];
  const logger = createLogger({ service: 'test', level: 'fatal' });
  await using _listener = await listen({
    url: database.url,
    channel: 'news',
    logger,
    onNotify: (payload) => heard.push(payload),
  });
  await database.query("SELECT pg_notify('news', 'one')");
  await waitFor(() => heard.includes('one'), { what: 'the first' });
  await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'waybill listen news'",
  );
  await waitFor(() => heard.filter((payload) => payload === '').length === 2, { what: 'a new connection' });
  await database.query("SELECT pg_notify('news', 'two')");
  await waitFor(() => heard.includes('two'), { what: 'the second' });
  expect(heard).toEqual(['', 'one', '', 'two']);
});
