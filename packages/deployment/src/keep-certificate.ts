import { followKeyPair } from '@waybill/certificates/follow-key-pair';
import { httpSettingsOf } from '@waybill/http-kit/server/http-settings';
import { listenForOperations } from '@waybill/http-kit/server/serve-operations';
import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import type { ServiceContext } from '@waybill/service-kit/run-service';
import { z } from 'zod';
import { pushCertificate } from './push-certificate.ts';
import { writeWhole } from './write-whole.ts';

/** The settings of the certificate keeper of HAProxy. */
export const configSchema = z.object({
  ...serviceConfigShape,
  HAPROXY_CERTIFICATE_FILE: z.string().describe('File with certificate and key that HAProxy loads'),
  HAPROXY_SOCKET: z.string().describe('Socket of the runtime interface of HAProxy'),
});

/** The configuration of the certificate keeper of HAProxy. */
export type Config = z.infer<typeof configSchema>;

/**
 * Keeps HAProxy's certificate in step with the given files: checks that certificate and key belong together, writes
 * them into the one file that HAProxy loads, and passes them to a running HAProxy. It is ready once that file
 * exists.
 */
export async function keepCertificate({ config, logger, metrics, health, resources }: ServiceContext<Config>) {
  const { HAPROXY_CERTIFICATE_FILE: file, HAPROXY_SOCKET: socketPath } = config;
  const { tls, operations } = httpSettingsOf(config);
  if (tls === undefined) throw new Error('TLS_CERT_FILE and TLS_KEY_FILE are not set');
  const keeper = await followKeyPair({
    files: tls,
    intervalMs: tls.reloadMs,
    logger,
    metrics,
    use: async ({ cert, key }) => {
      const pem = `${cert.trimEnd()}\n${key.trimEnd()}\n`;
      const isPushed = await pushCertificate({ socketPath, file }, pem);
      // Only a pair that HAProxy accepts is written, because HAProxy reads the file at its next start.
      await writeWhole(file, pem, 0o444);
      logger.info({ isPushed }, 'HAProxy has the certificate');
    },
  });
  resources.use(keeper);
  if (operations) resources.use(await listenForOperations({ health, metrics }, operations));
}
