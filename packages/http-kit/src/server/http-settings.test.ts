import { describe, expect, it } from 'vitest';
import { type HttpConfig, httpSettingsOf } from './http-settings.ts';

const config: HttpConfig = {
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: [],
  TRUSTED_PROXY_HEADERS: 'x-forwarded',
  OPERATIONS_HOST: '127.0.0.1',
  TLS_RELOAD_SECONDS: 10,
};

const trustedProxies = { networks: [], headers: 'x-forwarded' };

describe('httpSettingsOf', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('serves everything at one loopback address, %s', (HOST) => {
    expect(httpSettingsOf({ ...config, HOST })).toEqual({ trustedProxies });
  });

  it.each(['0.0.0.0', '::', '10.0.0.7', 'files.example.org'])('opens %s only with operations apart', (HOST) => {
    expect(() => httpSettingsOf({ ...config, HOST })).toThrow('set OPERATIONS_PORT');
    expect(httpSettingsOf({ ...config, HOST, OPERATIONS_PORT: 9082 }).operations).toEqual({
      host: '127.0.0.1',
      port: 9082,
    });
  });

  it('accepts a certificate and a key only together', () => {
    const both = { TLS_CERT_FILE: '/cert.pem', TLS_KEY_FILE: '/key.pem' };
    expect(httpSettingsOf({ ...config, ...both }).tls).toEqual({
      certFile: '/cert.pem',
      keyFile: '/key.pem',
      reloadMs: 10_000,
    });
    expect(() => httpSettingsOf({ ...config, TLS_CERT_FILE: '/cert.pem' })).toThrow('without TLS_KEY_FILE');
    expect(() => httpSettingsOf({ ...config, TLS_KEY_FILE: '/key.pem' })).toThrow('without TLS_CERT_FILE');
  });
});
