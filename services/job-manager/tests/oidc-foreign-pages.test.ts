import { startOutsideIssuer } from '@waybill/test-kit/oidc/outside-issuer';
import { expect, it } from 'vitest';
import { callBack, callback, comeBack, oidcSettings } from './oidc-rig.ts';
import { startTestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform } from './start-test-platform.ts';

const api = '/platform-application/api/v1';
const address = '192.0.2.97';
const headers = { 'x-forwarded-for': address, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };

it('a page of another site cannot have its visitors refused: what it can have their browsers send does not count', async () => {
  await using issuer = await startOutsideIssuer(() => callback);
  await using platform = await startTestPlatform();
  await using manager = await startTestJobManager(platform, oidcSettings(issuer));
  issuer.account = { subject: 'f3a1', claims: { preferred_username: 'jane@example.org', groups: ['operators'] } };
  const refusals = () =>
    platform.database.query(`SELECT id FROM outbox.events WHERE payload ->> 'auditCode' = 'AUD0008A'`);
  const back = await comeBack(manager);
  for (let index = 0; index < 20; index += 1) {
    expect((await callBack(manager, { ...back, cookie: '' }, address)).status).toBe(401);
    for (const path of ['device', 'device/token', 'console', 'console/session']) {
      const sent = await manager.client.post(`${api}/auth/oidc/${path}`, { headers });
      expect(sent.json()).toMatchObject({ status: 403, code: 'foreign_page_refused' });
      expect(sent.headers.get('set-cookie')).toBeNull();
    }
  }
  expect(await refusals()).toEqual([]);
  const own = { 'x-forwarded-for': address, 'sec-fetch-site': 'same-origin' };
  expect((await manager.client.post(`${api}/auth/oidc/device`, { headers: own })).status).toBe(200);
  expect((await callBack(manager, back, address)).status).toBe(200);
});
