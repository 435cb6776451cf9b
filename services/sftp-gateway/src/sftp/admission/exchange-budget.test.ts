import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import { expect, test } from 'vitest';
import { createExchangeBudget } from './exchange-budget.ts';

function budgetAt(perMinute: number) {
  let now = 0;
  const isExempt = (address: string): boolean => address === '192.0.2.9';
  const countNetwork = createNetworkCounter(64);
  const budget = createExchangeBudget({ perMinute, countNetwork, isExempt, now: () => now });
  return { ...budget, pass: (ms: number) => (now += ms) };
}

test('an address that has spent its budget is refused until it has recovered', () => {
  const budget = budgetAt(60);
  expect(budget.spend('192.0.2.1', 59)).toBe(false);
  expect(budget.admits('192.0.2.1')).toBe(true);
  expect(budget.spend('192.0.2.1', 1)).toBe(true);
  expect(budget.admits('192.0.2.1')).toBe(false);
  expect(budget.admits('192.0.2.2')).toBe(true);
  budget.pass(1_001);
  expect(budget.admits('192.0.2.1')).toBe(true);
});

test('an exhausted budget is reported once', () => {
  const budget = budgetAt(10);
  expect([6, 6, 6].map((cost) => budget.spend('192.0.2.1', cost))).toEqual([false, true, false]);
});

test('any cost is forgotten two minutes later', () => {
  const budget = budgetAt(10);
  budget.spend('192.0.2.1', 1_000_000);
  budget.pass(59_000);
  expect(budget.admits('192.0.2.1')).toBe(false);
  budget.pass(61_000);
  expect(budget.spend('192.0.2.1', 9)).toBe(false);
  expect(budget.admits('192.0.2.1')).toBe(true);
});

test('connections without an exchange cost nothing', () => {
  const budget = budgetAt(1);
  for (let times = 0; times < 100; times += 1) budget.spend('192.0.2.1', 0);
  expect(budget.admits('192.0.2.1')).toBe(true);
});

test('with very many addresses the most recent ones are remembered', () => {
  const budget = budgetAt(1);
  for (let index = 0; index < 30_000; index += 1) budget.spend(`2001:db8:0:${index.toString(16)}::1`, 1);
  expect(budget.admits('2001:db8:0:0::1')).toBe(true);
  expect(budget.admits(`2001:db8:0:${(29_999).toString(16)}::1`)).toBe(false);
});

test('the addresses of an IPv6 network share one budget, and exempt ones need none', () => {
  const budget = budgetAt(2);
  budget.spend('2001:db8::1', 1);
  budget.spend('2001:db8::2', 1);
  expect(budget.admits('2001:db8::3')).toBe(false);
  expect(budget.admits('2001:db8:0:1::1')).toBe(true);
  expect(budget.spend('192.0.2.9', 100)).toBe(false);
  expect(budget.admits('192.0.2.9')).toBe(true);
});
