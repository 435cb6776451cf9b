import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { noteServerTime, serverNow, serverTime } from './server-clock.ts';

const ofServer = Date.parse('2026-03-02T08:15:30.000Z');
const hourMs = 3_600_000;

const respond = (headers: Readonly<Record<string, string>>): void =>
  noteServerTime({ headers: new Headers({ 'cache-control': 'no-store', ...headers }) });
const date = (timeMs = ofServer): string => new Date(timeMs).toUTCString();

beforeEach(() => {
  vi.useFakeTimers({ now: ofServer });
});
afterEach(() => {
  respond({ date: date(Date.now()) });
  vi.useRealTimers();
});

it.each([10 * hourMs, -10 * hourMs, 6_000, 400 * 24 * hourMs])(
  'a browser whose clock is %i ms ahead has the time of the server',
  (aheadMs) => {
    vi.setSystemTime(ofServer + aheadMs);
    respond({ date: date() });
    expect(serverNow()).toBe(ofServer);
    expect(serverTime(Date.now() - 1_000)).toBe('2026-03-02T08:15:29.000Z');
    vi.advanceTimersByTime(2_500);
    expect(serverNow()).toBe(ofServer + 2_500);
  },
);

it('a difference of some seconds is that of the network', () => {
  vi.setSystemTime(ofServer + 4_900);
  respond({ date: date() });
  expect(serverNow()).toBe(ofServer + 4_900);
});

it('the clock is set right again, as soon as the next response arrives', () => {
  vi.setSystemTime(ofServer + hourMs);
  respond({ date: date() });
  vi.setSystemTime(ofServer + 60_000);
  respond({ date: date(ofServer + 60_000) });
  expect(serverNow()).toBe(ofServer + 60_000);
});

it.each([
  [
    'that a cache of the browser may have',
    { date: date(ofServer - hourMs), 'cache-control': 'private, max-age=31536000' },
  ],
  ['without a word about caches', { date: date(ofServer - hourMs), 'cache-control': '' }],
  ['that a proxy has had for some time', { date: date(ofServer - hourMs), age: '3600' }],
  ['without a date', {}],
  ['whose date is none', { date: 'yesterday' }],
])('a response %s does not change the clock', (_what, headers) => {
  respond(headers);
  expect(serverNow()).toBe(ofServer);
});

it('a response that a proxy has passed on at once changes the clock', () => {
  vi.setSystemTime(ofServer + hourMs);
  respond({ date: date(), age: '0' });
  expect(serverNow()).toBe(ofServer);
});
