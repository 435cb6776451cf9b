/** The `meta` element that tells the operators' pages the context path of the job endpoints, if there is one. */
export const basePathSetting = 'waybill-job-manager-base-path';
