import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RefusalBook, type Refusal } from './refusal-book.ts';

function openBook(options: { fails?: boolean; summary?: 'operationsRefused' | 'requestsRefused' } = {}) {
  const recorded: AuditEvent[] = [];
  const failures: unknown[] = [];
  const book = new RefusalBook({
    summary: options.summary ?? 'operationsRefused',
    append: async (event) => {
      if (options.fails) throw new Error('down');
      recorded.push(event);
    },
    failed: (error) => failures.push(error),
  });
  return { book, recorded, failures };
}

function refusalOf(path: string, subject = 's1', outcome = 'no_write_permission'): Refusal {
  const place = { nodeId: 'n', managerName: 'm', entityType: 'File', entityName: path, entityId: path };
  return {
    subject,
    fact: 'uploadRefused',
    circumstances: {
      ...place,
      user: `user of ${subject}`,
      names: { path, reason: 'why' },
      context: { outcome, port: 7 },
    },
  };
}

test('different refusals are recorded one by one, and repeated ones are counted', async () => {
  const { book, recorded } = openBook();
  await book.note(refusalOf('/a'));
  await book.note(refusalOf('/a'));
  await book.note(refusalOf('/b'));
  await book.note(refusalOf('/a', 's1', 'byte_limit_reached'));
  expect(recorded.map(({ entityName, context }) => [entityName, context?.outcome])).toEqual([
    ['/a', 'no_write_permission'],
    ['/b', 'no_write_permission'],
    ['/a', 'byte_limit_reached'],
  ]);
  await book[Symbol.asyncDispose]();
  expect(recorded.at(-1)).toMatchObject({
    auditCode: 'AUD0067A',
    dataoneUser: 'user of s1',
    auditMessage: expect.stringMatching(
      /^User user of s1 was refused 1 more operations between 2.*Z and 2.*Z: no_write_permission 1$/u,
    ),
  });
});

test('requests at the management interfaces have a summary of their own', async () => {
  const { book, recorded } = openBook({ summary: 'requestsRefused' });
  await book.note(refusalOf('/a'));
  await book.note(refusalOf('/a'));
  await book[Symbol.asyncDispose]();
  expect(recorded.at(-1)).toMatchObject({
    auditCode: 'AUD0016A',
    auditMessage: expect.stringMatching(/was refused 1 more requests between 2.*Z and 2.*Z: no_write_permission 1$/u),
  });
});

test('a summary of requests without a login names no user', async () => {
  const { book, recorded } = openBook({ summary: 'requestsRefused' });
  const { circumstances, ...refusal } = refusalOf('/a', 'unknown at 192.0.2.1', 'not_authenticated');
  const anonymous = { ...refusal, circumstances: { ...circumstances, user: '' } };
  await book.note(anonymous);
  await book.note(anonymous);
  await book[Symbol.asyncDispose]();
  expect(recorded.at(-1)?.auditMessage).toMatch(/^A caller without a login was refused 1 more requests between /u);
});

test('a flood of one subject costs eleven records, and leaves others theirs', async () => {
  const { book, recorded } = openBook();
  for (let n = 0; n < 5_000; n += 1) await book.note(refusalOf(`/${n}`));
  await book.note(refusalOf('/mine', 's2'));
  await book[Symbol.asyncDispose]();
  expect(recorded).toHaveLength(10 + 1 + 1);
  expect(recorded.at(-1)?.auditMessage).toContain('4990 more operations');
  expect(recorded.filter(({ dataoneUser }) => dataoneUser === 'user of s2')).toHaveLength(1);
});

test('a flood of subjects costs at most 2 211 records', async () => {
  const { book, recorded } = openBook();
  for (let subject = 0; subject < 1_000; subject += 1) {
    for (let n = 0; n < 12; n += 1) await book.note(refusalOf(`/${n}`, `s${subject}`));
  }
  await book[Symbol.asyncDispose]();
  expect(recorded).toHaveLength(2_211);
  const shared = recorded.filter(({ auditCode, dataoneUser }) => auditCode === 'AUD0067A' && dataoneUser === '');
  expect(shared.map(({ auditMessage }) => auditMessage)).toEqual([
    expect.stringContaining('A group of callers was refused 9590 more operations'),
  ]);
});

test('a refusal that cannot be recorded is reported, and refuses nothing else', async () => {
  const { book, failures } = openBook({ fails: true });
  await book.note(refusalOf('/a'));
  await book[Symbol.asyncDispose]();
  expect(failures).toEqual([new Error('down')]);
});

test('the minute of a subject begins with its first refusal', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { book, recorded } = openBook();
  await vi.advanceTimersByTimeAsync(59_000);
  await book.note(refusalOf('/a'));
  await vi.advanceTimersByTimeAsync(55_000);
  await book.note(refusalOf('/a'));
  expect(recorded).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(recorded.at(-1)?.auditMessage).toContain('was refused 1 more operations');
  await book.note(refusalOf('/a'));
  expect(recorded).toHaveLength(3);
  await book[Symbol.asyncDispose]();
});
