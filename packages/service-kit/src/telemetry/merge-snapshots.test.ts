import { expect, test } from 'vitest';
import { mergeSnapshots, createMetrics, type MetricsSnapshot } from './metrics.ts';

async function snapshotOf(count: number): Promise<MetricsSnapshot> {
  const metrics = createMetrics('sample');
  metrics.counter({ name: 'waybill_bytes', help: 'Bytes', labels: ['direction'] }).inc({ direction: 'in' }, count);
  metrics.histogram({ name: 'waybill_wait_seconds', help: 'Waits', buckets: [1, 10] }).observe(count);
  return JSON.parse(JSON.stringify(await metrics.snapshot())) as MetricsSnapshot;
}

test('the metrics of several processes add up, label by label and bucket by bucket', async () => {
  const text = await mergeSnapshots([await snapshotOf(1), await snapshotOf(5)]).text();
  expect(text).toContain('waybill_bytes{direction="in",service="sample"} 6');
  expect(text).toMatch(/waybill_wait_seconds_bucket\{le="1",service="sample"\} 1/u);
  expect(text).toMatch(/waybill_wait_seconds_sum\{service="sample"\} 6/u);
  expect(text.match(/^nodejs_version_info/gmu)).toHaveLength(1);
});
