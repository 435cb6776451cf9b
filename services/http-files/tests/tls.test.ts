import { X509Certificate } from 'node:crypto';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { createTlsFiles } from '@waybill/test-kit/tls/create-tls-files';
import { replaceTlsPair } from '@waybill/test-kit/tls/replace-tls-pair';
import { requestOverTls } from '@waybill/test-kit/tls/tls-client';
import { expect, it } from 'vitest';
import { createFilesRig } from './files-rig.ts';

it('with TLS files a peer serves HTTPS only, and a replaced pair without dropping open connections', async () => {
  const first = await makeSelfSigned({ names: ['localhost'], days: 1 });
  const replacement = await makeSelfSigned({ names: ['localhost'], days: 2 });
  await using files = await createTlsFiles(first);
  await using rig = await createFilesRig();
  const port = Number(new URL((await rig.start('peer1', files.env)).url).port);
  const login = await requestOverTls(port, '/2.0/login/basic', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'username=acme&password=acme-demo',
  });
  const cookies = login.headers['set-cookie'] ?? [];
  for (const cookie of cookies) expect(cookie).toMatch(/; Secure(?:;|$)/u);
  const headers = { cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ') };
  const { fingerprint256: before } = new X509Certificate(first.cert);
  const { fingerprint256: after } = new X509Certificate(replacement.cert);
  expect(await replaceTlsPair({ port, files, replacement, path: '/2.0/directories', headers })).toEqual({
    isPlainHttpAnswered: false,
    open: { statuses: [200], fingerprints: [before], connections: 1 },
    fresh: { status: 200, fingerprint: after },
  });
});
