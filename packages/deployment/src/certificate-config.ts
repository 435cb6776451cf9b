import { serviceConfigShape } from '@waybill/service-kit/config/service-config';
import { z } from 'zod';

/** What the keeper of HAProxy's certificate is told. */
export const configSchema = z.object({
  ...serviceConfigShape,
  HAPROXY_CERTIFICATE_FILE: z.string().describe('File with certificate and key that HAProxy loads'),
  HAPROXY_SOCKET: z.string().describe('Socket of the runtime interface of HAProxy'),
});

/** What the keeper of HAProxy's certificate is told. */
export type Config = z.infer<typeof configSchema>;
