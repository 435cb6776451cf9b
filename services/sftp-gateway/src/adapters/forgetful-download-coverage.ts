import type { DownloadCoverage } from '@waybill/download-coverage/download-coverage';

/** If Redis is unavailable, the sent parts are not recorded: no download fails for that. */
export function forgetfulDownloadCoverage(
  coverage: DownloadCoverage,
  failed: (error: unknown) => void,
): DownloadCoverage {
  return {
    forget: (of) => coverage.forget(of),
    add: async (of, part) => {
      try {
        return await coverage.add(of, part);
      } catch (error) {
        failed(error);
        return false;
      }
    },
  };
}
