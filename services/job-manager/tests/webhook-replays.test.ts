import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { deliveryDetailsSchema } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { removingWebhookBodies } from '../src/retention/remove-webhook-bodies.ts';
import { replayRig } from './replay-rig.ts';

const { rig, received, onRequest, startWorker, deliver, get, find, replay, ended } = replayRig();

const refusal = async (id: number | string) => {
  const response = await replay(id);
  return [response.status, z.object({ code: z.string() }).parse(response.json()).code];
};

describe('a replay', () => {
  it('sends the same body with the same id, signed with the present key and time, by a worker alone', async () => {
    let first;
    {
      await using _worker = await startWorker();
      onRequest((response) => void response.writeHead(410).end());
      first = await deliver('hook', 'ERROR');
    }
    expect(first).toMatchObject({ outcome: 'failed', status: 410, replayOf: null, body: received[0]?.body });
    onRequest((response) => void response.writeHead(202).end());
    await rig.setSecret('replay-key', 'the second key');
    const asked = await replay(first.id);
    expect(asked.status).toBe(202);
    const pending = deliveryDetailsSchema.parse(asked.json());
    expect(pending).toMatchObject({ outcome: 'pending', replayOf: first.id, status: null, body: first.body });
    // Longer than a worker needs: nothing is to happen.
    await sleep(2_500);
    expect(received).toHaveLength(1);
    const { begunAt } = pending;
    for (const id of [first.id, pending.id])
      expect((await find(id)).replays).toEqual([{ id: pending.id, outcome: 'pending', begunAt }]);
    expect(await find(pending.id)).toMatchObject({ outcome: 'pending' });

    await using _worker = await startWorker();
    expect(await ended(pending.id)).toMatchObject({
      outcome: 'delivered',
      status: 202,
      error: null,
      replayOf: first.id,
      job: first.job,
      step: first.step,
      webhookId: first.webhookId,
    });
    expect((await find(first.id)).replays).toMatchObject([{ id: pending.id, outcome: 'delivered' }]);
    const [sent, again] = [existing(received[0]), existing(received[1])];
    expect(again.body).toBe(sent.body);
    expect(again.headers['webhook-id']).toBe(sent.headers['webhook-id']);
    expect(Number(again.headers['webhook-timestamp'])).toBeGreaterThan(Number(sent.headers['webhook-timestamp']));
    expect(again.headers['webhook-signature']).not.toBe(sent.headers['webhook-signature']);
    expect(
      await rig.platform.database.query(`SELECT payload FROM outbox.events WHERE payload ->> 'auditCode' = 'AUD0090A'`),
    ).toEqual([
      {
        payload: expect.objectContaining({
          entityId: String(pending.id),
          entityName: 'hooks',
          auditMessage: expect.stringMatching(
            new RegExp(
              `^User \\S+ has asked for a replay of the webhook delivery ${first.id} of job ${first.job} over hooks`,
              'u',
            ),
          ),
        }),
      },
    ]);
  });

  it('can be had again when it has ended, also of a replay, and only one at a time', async () => {
    await using _worker = await startWorker();
    const first = await deliver('hook');
    const held: ServerResponse[] = [];
    onRequest((response) => void held.push(response));
    const one = deliveryDetailsSchema.parse((await replay(first.id)).json());
    await waitFor(() => held[0], { what: 'the replay at the receiver' });
    expect(await refusal(first.id)).toEqual([409, 'webhook_replay_pending']);
    expect(await refusal(one.id)).toEqual([409, 'webhook_replay_pending']);
    onRequest((response) => void response.writeHead(204).end());
    existing(held[0]).writeHead(503).end('no');
    expect(await ended(one.id)).toMatchObject({ outcome: 'failed', status: 503, error: 'connection_failed' });
    const other = deliveryDetailsSchema.parse((await replay(one.id)).json());
    expect(await ended(other.id)).toMatchObject({ outcome: 'delivered', replayOf: first.id, body: first.body });
    expect(received).toHaveLength(3);
  });

  it('that many ask for at the same time is one', async () => {
    const first = await (async () => {
      await using _worker = await startWorker();
      return await deliver('hook');
    })();
    const answers = await Promise.all(Array.from({ length: 10 }, () => replay(first.id)));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    const { id } = deliveryDetailsSchema.parse(existing(answers.find(({ status }) => status === 202)).json());
    await using _one = await startWorker();
    await using _other = await startWorker();
    await ended(id);
    expect(received).toHaveLength(2);
  });

  it('that a stopping worker was at is carried out by another one', async () => {
    let id: number;
    const held: ServerResponse[] = [];
    {
      await using _worker = await startWorker();
      const first = await deliver('hook');
      onRequest((response) => void held.push(response));
      ({ id } = deliveryDetailsSchema.parse((await replay(first.id)).json()));
      await waitFor(() => held[0], { what: 'the replay at the receiver' });
    }
    expect(await find(id)).toMatchObject({ outcome: 'pending' });
    onRequest((response) => void response.writeHead(204).end());
    await using _worker = await startWorker();
    expect(await ended(id)).toMatchObject({ outcome: 'delivered' });
    // The same id: the receiver can tell that it is a repetition.
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

describe('refuses a replay', () => {
  it.each([['999999999'], ['9007199254740991']])('of a delivery that does not exist: %s', async (id) => {
    expect(await refusal(id)).toEqual([404, 'webhook_delivery_unknown']);
    expect((await get(id)).status).toBe(404);
  });

  it.each(['0', '-1', '1e3', 'x', '1%20OR%201=1', '99999999999999999999', '%00'])('of %s', async (id) => {
    expect((await replay(id)).status).toBe(400);
    expect((await get(id)).status).toBe(400);
  });

  it('to users who may only read, and without a login', async () => {
    await using _worker = await startWorker();
    const { id } = await deliver('hook');
    expect((await replay(id, rig.manager.viewer)).status).toBe(403);
    expect((await replay(id, '')).status).toBe(401);
    expect((await get(id, '')).status).toBe(401);
    expect((await get(id, rig.manager.viewer)).status).toBe(200);
    expect(received).toHaveLength(1);
  });

  it('of a body that is larger than the limit, or of one that is not kept', async () => {
    await using _worker = await startWorker();
    const large = await deliver('large');
    expect(large.body).toBeNull();
    expect(await refusal(large.id)).toEqual([409, 'webhook_body_removed']);
    await using _other = await startWorker({ WEBHOOK_BODY_DAYS: '0' });
    await _worker[Symbol.asyncDispose]();
    const unkept = await deliver('hook');
    expect(unkept.body).toBeNull();
    expect(await refusal(unkept.id)).toEqual([409, 'webhook_body_removed']);
  });

  it('after the retention, which removes old bodies and no others, and what waits for them', async () => {
    const [old, young] = await (async () => {
      await using _worker = await startWorker();
      return [await deliver('hook'), await deliver('hook')] as const;
    })();
    const { id } = deliveryDetailsSchema.parse((await replay(old.id)).json());
    await rig.platform.database.query(
      `UPDATE jobs.webhook_bodies SET stored_at = stored_at - interval '8 days' WHERE delivery_id = ${old.id}`,
    );
    const metrics = createMetrics('test');
    const { work } = removingWebhookBodies({ db: rig.platform.db, metrics, keptDays: 7, intervalMs: 1 });
    await work(new AbortController().signal);
    const text = await metrics.text();
    expect(text).toMatch(/^waybill_webhook_bodies_removed_total\{[^}]*\} 1$/mu);
    expect(text).toMatch(/^waybill_webhook_replays_pending\{[^}]*\} 1$/mu);
    expect(await find(old.id)).toMatchObject({ body: null });
    expect((await find(young.id)).body).not.toBeNull();
    await using _worker = await startWorker();
    await waitFor(async () => (await get(id)).status === 404, { what: 'the replay to be dropped', timeoutMs: 30_000 });
    expect(received).toHaveLength(2);
    expect(await refusal(old.id)).toEqual([409, 'webhook_body_removed']);
  });
});
