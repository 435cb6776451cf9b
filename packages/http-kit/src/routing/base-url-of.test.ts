import { expect, test } from 'vitest';
import { baseUrlOf } from './base-url-of.ts';

const fallback = '127.0.0.1:8082';

test.each([
  ['http', 'localhost:8080', 'http://localhost:8080'],
  ['https', 'files.example.org', 'https://files.example.org'],
  ['http', '[::1]:8080', 'http://[::1]:8080'],
  ['HTTPS', 'a', 'https://a'],
  ['javascript', 'a', 'http://a'],
])('%s and %s result in %s', (protocol, host, expected) => {
  expect(baseUrlOf(protocol, host, fallback)).toBe(expected);
});

test.each([undefined, '', 'a b', 'a/b', 'user@host', 'a"', 'a<script>', 'a:b', 'a\r\nX: y'])(
  'the host %j is invalid: the address of the server is used instead',
  (host) => {
    expect(baseUrlOf('http', host, fallback)).toBe(`http://${fallback}`);
  },
);
