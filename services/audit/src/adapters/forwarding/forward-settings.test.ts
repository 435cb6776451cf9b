import { describe, expect, it } from 'vitest';
import { forwardListSchema } from './forward-settings.ts';

const messageOf = (text: string) => forwardListSchema.safeParse(text).error?.issues[0]?.message;

describe('the destinations of forwarding', () => {
  it('are syslog receivers and webhooks, with defaults', () => {
    expect(
      forwardListSchema.parse(`
        syslog+tcp://collector,syslog+tls://[2001:db8::1]:1514?format=cef&facility=4&max-bytes=65536&name=siem&from=start
        https://hooks.example.org/audit?team=7&signing-key-file=/run/key&token-file=/run/token`),
    ).toMatchObject([
      { kind: 'syslog', name: 'syslog+tcp://collector', host: 'collector', port: 601, isTls: false, format: 'json' },
      { name: 'siem', host: '2001:db8::1', port: 1_514, isTls: true, format: 'cef', facility: 4, bytesAtMost: 65_536 },
      {
        kind: 'webhook',
        name: 'https://hooks.example.org/audit',
        url: 'https://hooks.example.org/audit?team=7',
        signingKeyFile: '/run/key',
        tokenFile: '/run/token',
        from: 'now',
      },
    ]);
    expect(forwardListSchema.parse('')).toEqual([]);
  });

  it.each([
    ['syslog://collector', 'not an address'],
    ['syslog+udp://collector', 'not syslog+tcp'],
    ['syslog+tcp://user@collector', 'not syslog+tcp'],
    ['syslog+tcp://collector:70000', 'port'],
    ['syslog+tcp://collector:0', 'port'],
    ['syslog+tcp://collector?max-bytes=100', 'max-bytes'],
    ['syslog+tcp://collector?facility=24', 'facility'],
    ['syslog+tcp://collector?format=csv', 'format'],
    ['syslog+tcp://collector?colour=red', 'colour'],
    ['syslog+tcp://collector?ca-file=/a', 'for syslog+tls'],
    ['syslog+tls://collector?cert-file=/a', 'belong together'],
    ['syslog+tcp://collector?name=', 'name'],
    ['syslog+tcp://collector syslog+tcp://collector', 'twice'],
    ['https://hooks.example.org/', 'signing-key-file is wrong: is missing'],
    ['https://u:p@hooks.example.org/?signing-key-file=/k', 'token-file'],
    ['http://hooks.example.org/?signing-key-file=/k&token-file=/t', 'unencrypted'],
    ['ftp://hooks.example.org/', 'not an address'],
  ])('%s is refused, with the reason', (text, reason) => {
    expect(messageOf(text)).toContain(reason);
  });
});
