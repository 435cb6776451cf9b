import { X509Certificate } from 'node:crypto';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { createTlsFiles } from '@waybill/test-kit/tls/create-tls-files';
import { replaceTlsPair } from '@waybill/test-kit/tls/replace-tls-pair';
import { expect, it } from 'vitest';
import { createAuditRig } from './audit-rig.ts';

it('with TLS files the audit service serves HTTPS only, and a replaced pair without dropping open connections', async () => {
  const first = await makeSelfSigned({ names: ['localhost'], days: 1 });
  const replacement = await makeSelfSigned({ names: ['localhost'], days: 2 });
  await using files = await createTlsFiles(first);
  await using rig = await createAuditRig();
  await using audit = await rig.start(files.env);
  const headers = { authorization: `Bearer ${rig.token('Administrators')}` };
  const path = '/platform-application/api/v1/audit/logs?page=0';
  const { fingerprint256: before } = new X509Certificate(first.cert);
  const { fingerprint256: after } = new X509Certificate(replacement.cert);
  expect(await replaceTlsPair({ port: audit.port, files, replacement, path, headers })).toEqual({
    isPlainHttpAnswered: false,
    open: { statuses: [200], fingerprints: [before], connections: 1 },
    fresh: { status: 200, fingerprint: after },
  });
});
