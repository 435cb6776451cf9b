import { expect, it } from 'vitest';
import { shortClient } from './short-client.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/140.0.0.0 Chrome/140.0.0.0 Safari/537.36`,
    'Chrome 140, Linux',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.1`,
    'Edge 140, Windows',
  ],
  ['Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0', 'Firefox 142, Android'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18.4 Safari/605', 'Safari 18, Mac OS X'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome 140, Linux'],
  ['curl/8.14.1', 'curl/8.14.1'],
  ['Mozilla/5.0 (compatible; some robot)', 'Mozilla/5.0'],
  ['', ''],
  ['😀'.repeat(100), `${'😀'.repeat(40)}…`],
])('the client %j is shown as %j', (client, shown) => {
  expect(shortClient(client)).toBe(shown);
});
