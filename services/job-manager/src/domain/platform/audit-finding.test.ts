import type { ReportedAnchor } from '@waybill/contracts/messages/service-presence';
import { describe, expect, it } from 'vitest';
import { judgeAudit, newestReport, viewAnchor } from './audit-finding.ts';

const now = new Date('2026-03-02T08:00:00Z');
const ago = (seconds: number): string => new Date(now.getTime() - seconds * 1_000).toISOString();
const anchor: ReportedAnchor = { name: 'a', kind: 'file', records: 7, contradicts: false };
const quiet = { waiting: 0, oldestSeconds: 0, setAside: 0 };

describe('an anchor', () => {
  it.each<[string, Partial<ReportedAnchor>, string, number]>([
    ['works', {}, 'up', 0],
    ['is a little behind', { behindSince: ago(599) }, 'up', 599],
    ['is far behind', { behindSince: ago(601) }, 'degraded', 601],
    ['fails', { failingSince: ago(1) }, 'degraded', 0],
    ['is contradicted', { contradicts: true }, 'down', 0],
    ['has a clock that is ahead', { behindSince: ago(-60) }, 'up', 0],
  ])('that %s', (_, change, state, lagSeconds) => {
    expect(viewAnchor({ ...anchor, ...change }, now)).toMatchObject({ state, lagSeconds });
  });
});

describe('the audit log', () => {
  const anchors = (change: Partial<ReportedAnchor>) =>
    [anchor, { ...anchor, ...change }].map((one) => viewAnchor(one, now));

  it.each([
    ['is quiet', quiet, {}, 'up'],
    ['is busy', { ...quiet, waiting: 100_000, oldestSeconds: 29 }, {}, 'up'],
    ['is late', { ...quiet, waiting: 1, oldestSeconds: 31 }, {}, 'degraded'],
    ['has stopped', { ...quiet, waiting: 1, oldestSeconds: 301 }, {}, 'down'],
    ['has set events aside', { ...quiet, setAside: 1 }, {}, 'degraded'],
    ['has an anchor that fails', quiet, { failingSince: ago(1) }, 'degraded'],
    ['contradicts an anchor', quiet, { contradicts: true }, 'down'],
  ])('that %s', (_, backlog, change, state) => {
    expect(judgeAudit(backlog, anchors(change)).state).toBe(state);
  });
});

it('takes the report of the service that has signed most, and none without any', () => {
  const report = (records: number) => ({ checkpoint: { records }, anchors: [] });
  expect(newestReport([report(1), undefined, report(3), report(2)])).toEqual(report(3));
  expect(newestReport([undefined])).toBeUndefined();
});
