import { putEntity, rehearseWrites } from '@waybill/directory/administration/write-entity';
import type { EntityTarget } from '@waybill/directory/sources/entity-target';
import { expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { administratorOf, openTestPlatform } from './open-test-platform.ts';

const user = (name: string): EntityTarget => ({ entityType: 'External User', name, actor: 'acme' });
const settings = () => ({});

it('an entity that is written for trial leaves no gap in the numbers of the audit events', async () => {
  await using stack = new AsyncDisposableStack();
  const platform = stack.adopt(await openTestPlatform(), (one) => one.close());
  const writer = administratorOf(platform);
  await platform.apply(demoPlatform());
  await platform.takeAuditEvents();

  await putEntity(writer, user('bob'), { settings });
  expect(await rehearseWrites(writer, [{ target: user('carl'), settings }])).toMatchObject({
    changes: [{ change: 'created', entityName: 'carl' }],
  });
  await putEntity(writer, user('dora'), { settings });

  const [bob, dora] = await platform.takeAuditEvents();
  expect([bob?.entityName, dora?.entityName]).toEqual(['bob', 'dora']);
  const number = bob?.producer?.number ?? 0;
  expect(dora?.producer).toMatchObject({ number: number + 2, settled: number + 1, voided: [number + 1] });
});
