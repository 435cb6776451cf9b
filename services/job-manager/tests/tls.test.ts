import { X509Certificate } from 'node:crypto';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { createTlsFiles } from '@waybill/test-kit/tls/create-tls-files';
import { replaceTlsPair } from '@waybill/test-kit/tls/replace-tls-pair';
import { requestOverTls } from '@waybill/test-kit/tls/tls-client';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { runTestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform } from './start-test-platform.ts';

it('with TLS files the job manager serves HTTPS only, and a replaced pair without dropping open connections', async () => {
  const first = await makeSelfSigned({ names: ['localhost'], days: 1 });
  const replacement = await makeSelfSigned({ names: ['localhost'], days: 2 });
  await using files = await createTlsFiles(first);
  await using platform = await startTestPlatform();
  await using jobManager = await runTestJobManager(platform, files.env);
  const { port } = jobManager;
  const path = '/platform-application/api/v1/auth/login';
  const body = JSON.stringify({ username: 'admin', password: 'admin-demo' });
  const login = await requestOverTls(port, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { accessToken } = z.object({ accessToken: z.string() }).parse(JSON.parse(login.text));
  const headers = { authorization: `Bearer ${accessToken}` };
  const { fingerprint256: before } = new X509Certificate(first.cert);
  const { fingerprint256: after } = new X509Certificate(replacement.cert);
  expect(await replaceTlsPair({ port, files, replacement, path: '/job-manager/jobs', headers })).toEqual({
    isPlainHttpAnswered: false,
    open: { statuses: [200], fingerprints: [before], connections: 1 },
    fresh: { status: 200, fingerprint: after },
  });
});
