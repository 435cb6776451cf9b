import { metricChangeSchema, type MetricChange, type Metrics } from './metrics.ts';

/**
 * Metrics of a process that nothing scrapes: every change of a counter or a histogram is also passed to `send`, for the process
 * that started this one, which adds it to its own with `Metrics.add`. Gauges are not forwarded: they describe one process.
 */
export function forwardMetrics(metrics: Metrics, send: (change: MetricChange) => void): Metrics {
  /** Takes what prom-client takes: the labels and the value, or the value alone. */
  const forwarding =
    (name: string, change: (...parameters: never[]) => unknown) =>
    (...parameters: unknown[]): void => {
      Reflect.apply(change, undefined, parameters);
      const [first, second] = parameters;
      const [labels, value = 1] = typeof first === 'object' ? [first, second] : [{}, first];
      send(metricChangeSchema.parse({ name, labels, value }));
    };
  return {
    ...metrics,
    counter: (description) => {
      const counter = metrics.counter(description);
      counter.inc = forwarding(description.name, counter.inc.bind(counter));
      return counter;
    },
    histogram: (description) => {
      const histogram = metrics.histogram(description);
      histogram.observe = forwarding(description.name, histogram.observe.bind(histogram));
      return histogram;
    },
  };
}
