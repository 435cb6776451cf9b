import { expect, it } from 'vitest';
import { configSchema } from './config.ts';
import { greatestBasePort, withBasePort } from './with-base-port.ts';

const portsOf = (env: Record<string, string>) =>
  Object.entries(configSchema.parse(withBasePort(env))).flatMap(([name, value]) =>
    name.endsWith('_PORT') && name !== 'WAYBILL_BASE_PORT' ? [value] : [],
  );

it('gives the ports of `npm start` consecutive numbers, in the order of the page', () => {
  expect(portsOf({ WAYBILL_BASE_PORT: '19000' })).toEqual([19000, 19001, 19002, 19003, 19004, 19005, 19006, 19007]);
  expect(portsOf({ WAYBILL_BASE_PORT: String(greatestBasePort) }).at(-1)).toBe(65535);
});

it('prefers an individual port, and treats an empty one as unset', () => {
  const env = { WAYBILL_BASE_PORT: '19000', WAYBILL_SFTP_PORT: '22', WAYBILL_AUDIT_PORT: '' };
  expect(portsOf(env)).toEqual([19000, 22, 19002, 19003, 19004, 19005, 19006, 19007]);
});

it.each([[''], ['eighty'], ['0'], ['19000.5'], [String(greatestBasePort + 1)]])(
  'leaves %j to be refused by the schema',
  (base) => {
    const env = { WAYBILL_BASE_PORT: base };
    expect(withBasePort(env)).toBe(env);
    if (base !== '') expect(configSchema.safeParse(env).success).toBe(false);
  },
);
