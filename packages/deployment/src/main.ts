import { runService } from '@waybill/service-kit/run-service';
import { configSchema, keepCertificate } from './keep-certificate.ts';

// Keeps the certificate of HAProxy up to date.
await runService({ name: 'certificate-keeper', configSchema, env: process.env, start: keepCertificate });
