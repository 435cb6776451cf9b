import type { Config } from '../config.ts';
import type { SftpLimits } from './sftp-limits.ts';

/** Limits that operators set, and those that follow from how SFTP clients work. */
export function limitsOfConfig(config: Config): SftpLimits {
  return {
    loginGraceMs: config.SFTP_LOGIN_GRACE_SECONDS * 1_000,
    failedTries: 3,
    failedTryDelayMs: 300,
    unauthenticatedConnections: config.SFTP_MAX_UNAUTHENTICATED,
    exchangesPerAddress: config.SFTP_KEY_EXCHANGES_PER_ADDRESS,
    idleTimeoutMs: config.SFTP_IDLE_TIMEOUT_SECONDS * 1_000,
    keepaliveIntervalMs: config.SFTP_KEEPALIVE_SECONDS * 1_000,
    keepaliveMisses: 3,
    rekeyBytes: config.SFTP_REKEY_MEGABYTES * 1024 * 1024,
    rekeyIntervalMs: config.SFTP_REKEY_SECONDS * 1_000,
    channels: 10,
    // OpenSSH's client has up to 64 requests in flight.
    requestsInFlight: 128,
    bytesInFlight: 4 * 1024 * 1024,
    unsentBytes: 2 * 1024 * 1024,
    openHandles: 256,
  };
}
