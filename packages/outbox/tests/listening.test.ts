import type { FileEvent } from '@waybill/contracts/messages/file-event';
import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, test } from 'vitest';
import { appendToOutbox } from '../src/append-to-outbox.ts';
import { everyFolder, listenTo, listenToEverything, fileEventSubject } from '../src/listen-to.ts';
import type { OutboxMessage } from '../src/message-rows.ts';
import { auditMessage, createOutboxRig } from './outbox-rig.ts';

function fileMessage(path: string, kind: FileEvent['kind'] = 'stored'): OutboxMessage {
  const dfic = { dfiid: 'd', lcid: 'l', originalFileName: path, originalFilePath: path, userAttrs: {} };
  const file = { vfsId: '7', path, fileset: filesetIdSchema.parse('1'), size: '0', dfic };
  return {
    topic: 'file-event',
    payload: {
      ...file,
      kind,
      occurredAt: new Date().toISOString(),
      byTransfer: true,
      chainDepth: 0,
      userName: userNameSchema.parse('u'),
    },
  };
}

const storedIn = (folder: string): string => fileEventSubject({ kind: 'stored', vfsId: '7', folder });

type Rig = Awaited<ReturnType<typeof createOutboxRig>>;

const paths = async ({ db }: Rig): Promise<string[]> =>
  (await db('outbox.events').where({ topic: 'file-event' }).orderBy('id').pluck<FileEvent[]>('payload')).map(
    ({ path }) => path,
  );

const listen = ({ db }: Rig, ...subjects: string[]): Promise<void> =>
  db.transaction((trx) => listenTo(trx, 'test', subjects));

test('until subjects are set, all events are appended', async () => {
  await using rig = await createOutboxRig();
  await appendToOutbox(rig.db, [fileMessage('/in/one')]);
  expect(await paths(rig)).toEqual(['/in/one']);
});

test('file events without a listener are not appended; audit events always are', async () => {
  await using rig = await createOutboxRig();
  await listen(rig, storedIn('/in'));
  await appendToOutbox(rig.db, [
    fileMessage('/in/heard'),
    fileMessage('/in/deeper/unheard'),
    fileMessage('/in/unheard', 'downloaded'),
    auditMessage('recorded'),
  ]);
  expect(await paths(rig)).toEqual(['/in/heard']);
  expect(await rig.waiting()).toBe(2);
  await listen(rig);
  await appendToOutbox(rig.db, [fileMessage('/in/unheard')]);
  expect(await rig.waiting()).toBe(2);
});

test('events of all folders of a VFS can be listened to, by kind', async () => {
  await using rig = await createOutboxRig();
  await listen(rig, storedIn(everyFolder));
  await appendToOutbox(rig.db, [
    fileMessage('/in/heard'),
    fileMessage('/in/deeper/heard'),
    fileMessage('/in/unheard', 'downloaded'),
  ]);
  expect(await paths(rig)).toEqual(['/in/heard', '/in/deeper/heard']);
});

test('while everything is listened to every event is appended, and afterwards those of the earlier subjects', async () => {
  await using rig = await createOutboxRig();
  await listen(rig, storedIn('/in'));
  {
    await using _everything = await listenToEverything(rig.db);
    await appendToOutbox(rig.db, [fileMessage('/elsewhere/one')]);
    // A concurrent listener to everything leaves it unchanged.
    await listen(rig, storedIn('/other'));
    await appendToOutbox(rig.db, [fileMessage('/elsewhere/two')]);
  }
  await appendToOutbox(rig.db, [fileMessage('/elsewhere/three'), fileMessage('/in/four'), fileMessage('/other/five')]);
  expect(await paths(rig)).toEqual(['/elsewhere/one', '/elsewhere/two', '/other/five']);
});

test('listening to everything waits for transactions that may not have seen it', async () => {
  await using rig = await createOutboxRig();
  await listen(rig);
  const deciding = await rig.db.transaction();
  await appendToOutbox(deciding, [fileMessage('/in/one')]);
  let listening = false;
  const everything = listenToEverything(rig.db).then((all) => {
    listening = true;
    return all;
  });
  const isSaid = async (): Promise<boolean> => (await rig.db('outbox.listened').where({ subject: '*' })).length === 1;
  await waitFor(isSaid, { what: 'the listener' });
  // New transactions see it at once.
  const late = await rig.db.transaction();
  await appendToOutbox(late, [fileMessage('/in/two')]);
  expect(listening).toBe(false);
  await deciding.commit();
  await late.commit();
  await using _all = await everything;
  expect(await paths(rig)).toEqual(['/in/two']);
});

test('a statement that waits for others decides by what is committed when it continues', async () => {
  await using rig = await createOutboxRig();
  await listen(rig);
  // Every connection has planned it by now.
  await Promise.all(Array.from({ length: 8 }, () => appendToOutbox(rig.db, [fileMessage('/in/unheard')])));
  const locker = await rig.db.transaction();
  await locker.raw('LOCK TABLE outbox.events IN SHARE ROW EXCLUSIVE MODE');
  const appended = appendToOutbox(rig.db, [fileMessage('/in/heard')]);
  const isWaiting = async (): Promise<boolean> => {
    const { rows } = await rig.db.raw<{ rows: unknown[] }>('SELECT FROM pg_locks WHERE NOT granted');
    return rows.length === 1;
  };
  await waitFor(isWaiting, { what: 'the statement to wait' });
  await listen(rig, storedIn('/in'));
  await locker.commit();
  await appended;
  expect(await paths(rig)).toEqual(['/in/heard']);
});

test('listeners that were killed while they listened to everything are removed', async () => {
  await using rig = await createOutboxRig();
  await rig.db('outbox.listened').insert({ subject: '*', listener: 'killed', since: new Date(0) });
  await listen(rig, storedIn('/in'));
  await appendToOutbox(rig.db, [fileMessage('/elsewhere/one')]);
  expect(await paths(rig)).toEqual([]);
});
