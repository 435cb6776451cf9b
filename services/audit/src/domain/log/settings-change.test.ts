import { expect, it } from 'vitest';
import { type AuditSettings, settingsEvents } from './settings-change.ts';

const by = { managerName: 'manager1', nodeId: 'node1', user: 'operator' };
const values = { AUDIT_ANCHOR_SECONDS: '5' };

function recorded(former: AuditSettings | undefined, settings: AuditSettings) {
  return settingsEvents(former, settings, by).map(({ payload }) => ({
    auditCode: payload.auditCode,
    message: payload.auditMessage,
    difference: payload.context?.difference,
  }));
}

it('settings that have not changed are not recorded', () => {
  const settings = { parts: { retention: '30 days' }, values };
  expect(recorded(settings, settings)).toEqual([]);
  expect(recorded(undefined, { parts: {}, values })).toEqual([]);
});

it('at the first start, what is on was enabled', () => {
  expect(recorded(undefined, { parts: { 'anchor file:/a': 'file' }, values })).toEqual([
    {
      auditCode: 'AUD0106A',
      message: "User 'operator' has enabled anchor file:/a of Audit",
      difference: '{"before":{},"after":{"anchor file:/a":"file"}}',
    },
  ]);
});

it('a part that is removed was disabled, and each has a record', () => {
  const former = { parts: { retention: '30 days', 'anchor a': 'file' }, values };
  expect(
    recorded(former, { parts: { 'anchor b': 'file' }, values }).map(({ auditCode, message }) => [auditCode, message]),
  ).toEqual([
    ['AUD0106A', "User 'operator' has enabled anchor b of Audit"],
    ['AUD0107A', "User 'operator' has disabled retention of Audit"],
    ['AUD0107A', "User 'operator' has disabled anchor a of Audit"],
  ]);
});

it('all other changes are one record', () => {
  const former = { parts: { retention: '30 days', same: 'x' }, values: { ...values, GONE: '1' } };
  const settings = { parts: { retention: '90 days', same: 'x' }, values: { AUDIT_ANCHOR_SECONDS: '9', NEW: '' } };
  expect(recorded(former, settings)).toEqual([
    {
      auditCode: 'AUD0100A',
      message: 'User operator has modified the Audit Configuration: retention, AUDIT_ANCHOR_SECONDS, GONE, NEW',
      difference:
        '{"before":{"retention":"30 days","AUDIT_ANCHOR_SECONDS":"5","GONE":"1"},' +
        '"after":{"retention":"90 days","AUDIT_ANCHOR_SECONDS":"9","NEW":""}}',
    },
  ]);
});
