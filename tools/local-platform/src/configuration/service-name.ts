/** The four services, in the order in which they are started. */
export const serviceNames = ['job-manager', 'audit', 'http-files', 'sftp-gateway'] as const;

/** The name of one of the four services. */
export type ServiceName = (typeof serviceNames)[number];
