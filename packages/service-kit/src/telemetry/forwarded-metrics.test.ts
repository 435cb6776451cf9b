import { expect, test } from 'vitest';
import { forwardMetrics } from './forwarded-metrics.ts';
import { createMetrics, metricChangeSchema, type Metrics } from './metrics.ts';

function declare(metrics: Metrics) {
  return {
    files: metrics.counter({ name: 'waybill_files_total', help: 'Files', labels: ['end'] }),
    bytes: metrics.counter({ name: 'waybill_bytes_total', help: 'Bytes' }),
    waits: metrics.histogram({ name: 'waybill_wait_seconds', help: 'Waits', labels: ['queue'], buckets: [1, 10] }),
    reads: metrics.histogram({ name: 'waybill_read_seconds', help: 'Reads', buckets: [1, 10] }),
  };
}

/** The metrics of the platform, without those of Node. */
async function shown(metrics: Metrics): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith('waybill_'));
}

test('what a process counts is counted in the same way by the process that it is forwarded to', async () => {
  const here = createMetrics('sample');
  declare(here).files.inc({ end: 'stored' }, 5);
  const there = createMetrics('sample');
  const forwarding = forwardMetrics(there, (change) => here.add(metricChangeSchema.parse(structuredClone(change))));
  const { files, bytes, waits, reads } = declare(forwarding);
  files.inc({ end: 'stored' });
  files.inc({ end: 'failed' }, 2);
  bytes.inc();
  bytes.inc(41);
  bytes.inc(0);
  waits.observe({ queue: 'q' }, 0);
  waits.observe({ queue: 'q' }, 3);
  reads.observe(30);
  expect(await shown(there)).toEqual((await shown(here)).map((line) => line.replace(/(end="stored".*) 6$/u, '$1 1')));
  expect(await shown(here)).toEqual(
    expect.arrayContaining([
      'waybill_files_total{end="stored",service="sample"} 6',
      'waybill_files_total{end="failed",service="sample"} 2',
      'waybill_bytes_total{service="sample"} 42',
      'waybill_wait_seconds_bucket{le="1",service="sample",queue="q"} 1',
      'waybill_wait_seconds_sum{service="sample",queue="q"} 3',
      'waybill_read_seconds_count{service="sample"} 1',
    ]),
  );
});

test('a change of a metric that is unknown, of another kind or with other labels is ignored', async () => {
  const here = createMetrics('sample');
  declare(here);
  here.gauge({ name: 'waybill_depth', help: 'Depth' }).set(7);
  const before = await shown(here);
  for (const [name, labels] of [
    ['waybill_unknown_total', {}],
    ['waybill_depth', {}],
    ['waybill_files_total', { color: 'red' }],
    ['waybill_wait_seconds', { color: 'red' }],
    ['__proto__', {}],
  ] as const) {
    here.add({ name, labels, value: 1 });
  }
  here.add({ name: 'waybill_bytes_total', labels: {}, value: -1 });
  expect(await shown(here)).toEqual(before);
});
