import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** The metrics of the gateway. */
export function createGatewayMetrics(metrics: Metrics) {
  return {
    ...createLoginMetrics(metrics),
    sessions: metrics.gauge({ name: 'waybill_sftp_sessions', help: 'Open SFTP sessions' }),
    refusals: metrics.counter({
      name: 'waybill_sftp_refused_connections_total',
      help: 'Connections that were ended before a login',
      labels: ['reason'],
    }),
    keyExchanges: metrics.counter({
      name: 'waybill_sftp_key_exchanges_total',
      help: 'Key exchanges of SSH, by cause: login, server or client renewal, or refused',
      labels: ['algorithm', 'origin'],
    }),
    legacyLogins: metrics.counter({
      name: 'waybill_sftp_legacy_logins_total',
      help: 'Logins on connections with an old algorithm of SSH, by exception',
      labels: ['algorithm'],
    }),
    hostKeyProofs: metrics.counter({
      name: 'waybill_sftp_host_key_proofs_total',
      help: 'Host keys that were proved to clients, which then know them',
      labels: ['role'],
    }),
    bans: metrics.counter({
      name: 'waybill_sftp_bans_total',
      help: 'Bans that began after too many failed logins',
      labels: ['subject'],
    }),
    replacements: metrics.counter({
      name: 'waybill_sftp_replaced_processes_total',
      help: 'Processes that ended without being asked to and were replaced (SFTP_PROCESSES)',
    }),
    bytes: metrics.counter({
      name: 'waybill_sftp_transferred_bytes',
      help: 'Bytes of file content over SFTP',
      labels: ['direction'],
    }),
    failures: metrics.counter({
      name: 'waybill_sftp_failures_total',
      help: 'Operations that failed for an unexpected reason',
      labels: ['operation'],
    }),
  };
}

function createLoginMetrics(metrics: Metrics) {
  return {
    logins: metrics.counter({
      name: 'waybill_sftp_logins_total',
      help: 'Login attempts over SFTP',
      labels: ['method', 'outcome'],
    }),
    passwordChanges: metrics.counter({
      name: 'waybill_sftp_password_changes_total',
      help: 'Passwords that users changed in the course of a login, and choices that were refused',
      labels: ['outcome'],
    }),
  };
}
