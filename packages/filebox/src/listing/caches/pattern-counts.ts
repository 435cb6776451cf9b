import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { FolderNameCache } from './folder-name-cache.ts';

/** Counts what counts by a pattern were answered from. */
export interface PatternCounts {
  inc(labels: { from: 'memory' | 'names' | 'database' }): void;
}

/** Tells in the metrics of a process how counts by a pattern are answered, and what names take for that. */
export function reportPatternCounts(metrics: Metrics, folderNameCache: Pick<FolderNameCache, 'weight'>): PatternCounts {
  metrics.gauge({
    name: 'waybill_filebox_kept_names_bytes',
    help: 'Memory for the names of big folders, by which counts by a pattern are answered',
    collect: (gauge) => gauge.set(folderNameCache.weight()),
  });
  return metrics.counter({
    name: 'waybill_filebox_pattern_counts_total',
    help: 'Counts by a pattern, by what they were answered from: one of before, names in memory, the database',
    labels: ['from'],
  });
}
