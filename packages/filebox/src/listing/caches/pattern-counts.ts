import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { FolderNameCache } from './folder-name-cache.ts';

/** Counts the sources of counts by a pattern. */
export interface PatternCounts {
  inc(labels: { from: 'memory' | 'names' | 'database' }): void;
}

/** Reports as metrics how counts by a pattern are computed, and the memory of names for them. */
export function reportPatternCounts(metrics: Metrics, folderNameCache: Pick<FolderNameCache, 'weight'>): PatternCounts {
  metrics.gauge({
    name: 'waybill_filebox_kept_names_bytes',
    help: 'Memory for the names of big folders, which counts by a pattern use',
    collect: (gauge) => gauge.set(folderNameCache.weight()),
  });
  return metrics.counter({
    name: 'waybill_filebox_pattern_counts_total',
    help: 'Counts by a pattern, by source: an earlier count, names in memory, the database',
    labels: ['from'],
  });
}
