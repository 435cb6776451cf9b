import { runService } from '@waybill/service-kit/run-service';
import { configSchema, keepCertificate } from './keep-certificate.ts';

// The keeper of HAProxy's certificate.
await runService({ name: 'certificate-keeper', configSchema, env: process.env, start: keepCertificate });
