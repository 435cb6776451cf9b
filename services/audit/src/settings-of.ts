import { userInfo } from 'node:os';
import type { AnchorSettings } from './adapters/anchors/anchor-settings.ts';
import type { ForwardSettings } from './adapters/forwarding/forward-settings.ts';
import { checkpointFileOf, type Config, retentionOf } from './config.ts';
import type { AuditSettings } from './domain/log/settings-change.ts';

/** The settings whose changes are recorded: what protects the audit log, and what is deleted from it. No secrets. */
export function settingsOf(config: Config): AuditSettings {
  const retention = retentionOf(config);
  return {
    parts: {
      ...Object.fromEntries(config.AUDIT_ANCHORS.map((anchor) => [`anchor ${anchor.name}`, optionsOf(anchor)])),
      ...Object.fromEntries(
        config.AUDIT_FORWARDING.map((destination) => [`forwarding ${destination.name}`, forwardingOf(destination)]),
      ),
      ...(retention && { retention: `${retention.days} days, archived in ${retention.folder}` }),
    },
    values: {
      AUDIT_ANCHOR_SECONDS: String(config.AUDIT_ANCHOR_SECONDS),
      AUDIT_ANCHOR_ALERT_SECONDS: String(config.AUDIT_ANCHOR_ALERT_SECONDS),
      AUDIT_ANCHORS_UNREACHABLE: config.AUDIT_ANCHORS_UNREACHABLE,
      AUDIT_CHECKPOINT_FILE: checkpointFileOf(config),
      AUDIT_REVOKED_PUBLIC_KEYS: config.AUDIT_REVOKED_PUBLIC_KEYS.join(','),
    },
  };
}

/** Not the address of an endpoint: its query may be a credential. */
function optionsOf(anchor: AnchorSettings): string {
  if (anchor.kind === 'file') return 'file';
  if (anchor.kind === 'witness') return JSON.stringify({ url: anchor.url, key: anchor.key.verifierKey });
  if (anchor.kind === 'http') return JSON.stringify({ method: anchor.method, 'token-file': anchor['token-file'] });
  const { region, endpoint, 'path-style': pathStyle, 'lock-days': lockDays } = anchor;
  return JSON.stringify({ region, endpoint, 'path-style': pathStyle, 'lock-days': lockDays });
}

/** Not the address of a webhook: its query may be a credential. */
function forwardingOf(destination: ForwardSettings): string {
  const { kind, from, caFile, bytesAtMost } = destination;
  const common = { kind, from, 'ca-file': caFile, 'max-bytes': bytesAtMost };
  if (destination.kind === 'webhook') {
    const { signingKeyFile, tokenFile } = destination;
    return JSON.stringify({ ...common, 'signing-key-file': signingKeyFile, 'token-file': tokenFile });
  }
  const { host, port, isTls, format, facility, certFile, keyFile } = destination;
  const address = { host, port, tls: isTls };
  return JSON.stringify({ ...common, ...address, format, facility, 'cert-file': certFile, 'key-file': keyFile });
}

/** The account of the operating system that runs the service: its environment has the settings. */
export function serviceAccount(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}
