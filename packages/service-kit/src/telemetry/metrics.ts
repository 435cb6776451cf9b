import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, AggregatorRegistry } from 'prom-client';
import { z } from 'zod';

/** A counter that grew, or a value that a histogram observed, in another process. */
export const metricChangeSchema = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.union([z.string(), z.number()])),
  value: z.number(),
});

/** A counter that grew, or a value that a histogram observed. */
export type MetricChange = z.infer<typeof metricChangeSchema>;

interface Description<L extends string> {
  /** Begins with `waybill_`, ends with its unit. */
  name: `waybill_${string}`;
  help: string;
  /** Names of low cardinality: no user, path or id. */
  labels?: readonly L[];
}

/** The metrics of a process at one moment. */
export type MetricsSnapshot = readonly object[];

/** Prometheus metrics of one process. */
export interface Metrics {
  counter<L extends string = never>(description: Description<L>): Counter<L>;
  gauge<L extends string = never>(
    description: Description<L> & { collect?: (gauge: Gauge<L>) => void | Promise<void> },
  ): Gauge<L>;
  histogram<L extends string = never>(description: Description<L> & { buckets?: number[] }): Histogram<L>;
  /** Adds what a process that this one started has counted. A metric or label that is unknown here is ignored. */
  add(change: MetricChange): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  /** The current values of all metrics, which can be sent as JSON to a process that merges them. */
  snapshot(): Promise<MetricsSnapshot>;
  /** The media type of `text`. */
  contentType: string;
}

/** An empty set of metrics with those of the Node process itself. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  const base = <L extends string>({ name, help, labels = [] }: Description<L>) => ({
    name,
    help,
    labelNames: labels,
    registers: [registry],
  });
  return {
    counter: (description) => new Counter(base(description)),
    gauge: (description) => {
      const { collect } = description;
      return new Gauge({
        ...base(description),
        ...(collect && {
          async collect() {
            try {
              await collect(this);
            } catch {
              // A value that cannot be determined is left out; the others are still reported.
              this.reset();
            }
          },
        }),
      });
    },
    histogram: (description) =>
      new Histogram({ ...base(description), ...(description.buckets && { buckets: description.buckets }) }),
    add: (change) => addChange(registry, change),
    text: () => registry.metrics(),
    snapshot: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
}

function addChange(registry: Registry, { name, labels, value }: MetricChange): void {
  const metric = registry.getSingleMetric(name);
  try {
    if (metric instanceof Counter) metric.inc(labels, value);
    else if (metric instanceof Histogram) metric.observe(labels, value);
  } catch {
    // The other process may have been started from a newer release, with other labels.
  }
}

/**
 * Merges the metrics of several processes. Counters, gauges and histograms are added up; those of Node that cannot
 * be added (the lag of the event loop, versions) are averaged, reported once or left out.
 */
export function mergeSnapshots(snapshots: readonly MetricsSnapshot[]): Pick<Metrics, 'text' | 'snapshot'> {
  const merged = AggregatorRegistry.aggregate([...snapshots]);
  return { text: () => merged.metrics(), snapshot: () => merged.getMetricsAsJSON() };
}
