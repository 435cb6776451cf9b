import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricsSnapshot } from './metrics.ts';

/**
 * The metrics of several processes as those of one. Counters, gauges and histograms add up; those of Node that cannot (the
 * lag of the event loop, versions) are averaged, told once or left out.
 */
export function mergeSnapshots(snapshots: readonly MetricsSnapshot[]): Pick<Metrics, 'text' | 'snapshot'> {
  const merged = AggregatorRegistry.aggregate([...snapshots]);
  return { text: () => merged.metrics(), snapshot: () => merged.getMetricsAsJSON() };
}
