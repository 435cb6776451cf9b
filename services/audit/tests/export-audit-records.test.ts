import { problemSchema } from '@waybill/contracts/errors/problem';
import { expect, it } from 'vitest';
import { createAuditRig } from './audit-rig.ts';
import { someEvents } from './some-events.ts';

const path = '/platform-application/api/v1/audit';

it('exports all records, or those of a filter, in every format, with the checkpoint that covers them', async () => {
  await using rig = await createAuditRig();
  await using audit = await rig.start();
  await rig.record.append(someEvents(2_500));
  await rig.record.append(someEvents(7, 'other'));
  const bearer = rig.token('Auditors');
  const { text: checkpoint } = await audit.client.get(`${path}/checkpoint`, { bearer });
  const fetch = async (query: Readonly<Record<string, string>>) => {
    const answer = await audit.client.get(`${path}/export`, { query, bearer });
    expect(answer.status, answer.text).toBe(200);
    const covered = Buffer.from(answer.headers.get('x-audit-checkpoint') ?? '', 'base64').toString();
    expect(covered).toBe(checkpoint);
    return { lines: answer.text.trimEnd().split(/\r?\n/u), type: answer.headers.get('content-type') };
  };
  const q = '{entityName^="/inbox/other",fromAuditTime="2020-01-01T00:00:00Z"}';
  const all = await fetch({});
  expect(all.lines).toHaveLength(2_508);
  expect(JSON.parse(all.lines.at(-1) ?? '')).toEqual({
    checkpoint,
    keys: [expect.any(String)],
    validity: [{ key: expect.any(String), from: 0, to: null }],
    cosigned: [],
    waiting: [],
  });
  const some = await fetch({ q });
  expect(some.lines.slice(0, -1)).toEqual(all.lines.filter((line) => line.includes('/inbox/other')));
  expect(JSON.parse(some.lines.at(-1) ?? '')).toMatchObject({ checkpoint, filter: q });

  const csv = await fetch({ q, format: 'csv' });
  expect(csv).toMatchObject({ type: expect.stringContaining('text/csv') });
  expect(csv.lines).toHaveLength(8);
  expect(csv.lines[0]).toMatch(/^sequence,id,correlationId,auditTime,/u);
  const cef = await fetch({ q, format: 'cef' });
  expect(cef.lines).toHaveLength(8);
  expect(cef.lines.at(-1)).toMatch(/^CEF:0\|Waybill\|Waybill\|1\|CHECKPOINT\|.*msg=waybill\/manager/u);
  const ocsf = await fetch({ q, format: 'ocsf' });
  expect(ocsf.lines.map((line) => (JSON.parse(line) as { class_uid: number }).class_uid)).toEqual([
    ...Array.from({ length: 7 }, () => 4008),
    0,
  ]);
  expect(JSON.parse(ocsf.lines.at(-1) ?? '')).toMatchObject({ unmapped: { checkpoint } });

  expect((await fetch({ q: '{auditCode="AUD9999A"}', format: 'cef' })).lines).toHaveLength(1);
  for (const [query, field] of [
    [{ format: 'xml' }, 'format'],
    [{ q: '{' }, 'q'],
    [{ q: '{colour="red"}' }, 'q.colour'],
    [{ Format: 'csv' }, 'Format'],
  ] as const) {
    const answer = await audit.client.get(`${path}/export`, { query, bearer });
    expect(answer.status).toBe(400);
    expect(problemSchema.parse(answer.json()).errors?.map((error) => error.field)).toEqual([field]);
  }
});

it('ends an export when the client goes away, and serves others', async () => {
  await using rig = await createAuditRig();
  await using audit = await rig.start();
  for (let batch = 0; batch < 10; batch += 1) await rig.record.append(someEvents(2_000, `batch${batch}`));
  const bearer = rig.token('Auditors');
  for (let time = 0; time < 5; time += 1) {
    const gone = new AbortController();
    const answer = await fetch(`http://127.0.0.1:${audit.port}${path}/export`, {
      headers: { authorization: `Bearer ${bearer}` },
      signal: gone.signal,
    });
    await answer.body?.getReader().read();
    gone.abort();
  }
  const whole = await audit.client.get(`${path}/export`, { bearer });
  expect(whole.text.split('\n')).toHaveLength(20_002);
});
