import { AggregatorRegistry } from 'prom-client';
import type { Metrics, MetricsSnapshot } from './metrics.ts';

/**
 * Merges the metrics of several processes. Counters, gauges and histograms are added up; those of Node that cannot
 * be added (the lag of the event loop, versions) are averaged, reported once or left out.
 */
export function mergeSnapshots(snapshots: readonly MetricsSnapshot[]): Pick<Metrics, 'text' | 'snapshot'> {
  const merged = AggregatorRegistry.aggregate([...snapshots]);
  return { text: () => merged.metrics(), snapshot: () => merged.getMetricsAsJSON() };
}
