import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import { describe, expect, it } from 'vitest';
import { createStartupGate } from './startup-gate.ts';

const countNetwork = createNetworkCounter(64);
const addressOf = (index: number) => countNetwork(`10.0.0.${index}`);

describe('the startup gate', () => {
  it('admits every connection up to half the limit, and none at the limit', () => {
    const gate = createStartupGate({ limit: 10, random: () => 0.999 });
    expect(Array.from({ length: 12 }, (_, index) => gate.admit(addressOf(index)))).toEqual([
      ...Array.from({ length: 10 }, () => true),
      false,
      false,
    ]);
    const strict = createStartupGate({ limit: 10, random: () => 0 });
    const admitted = Array.from({ length: 12 }, (_, index) => strict.admit(addressOf(index)));
    expect(admitted.filter(Boolean)).toHaveLength(5);
  });

  it('drops a share in between that rises with the queue', () => {
    const dropsAt = (random: number) => {
      const gate = createStartupGate({ limit: 100, random: () => random });
      let admitted = 0;
      while (gate.admit(addressOf(admitted))) admitted += 1;
      return admitted;
    };
    expect(dropsAt(0.2)).toBe(50);
    expect(dropsAt(0.5)).toBeGreaterThan(50);
    expect(dropsAt(0.9)).toBeGreaterThan(dropsAt(0.5));
  });

  it('gives one address a quarter of the places', () => {
    const gate = createStartupGate({ limit: 40 });
    const admitted = Array.from({ length: 20 }, () => gate.admit(countNetwork('10.0.0.1')));
    expect(admitted.filter(Boolean)).toHaveLength(10);
    expect(gate.admit(countNetwork('10.0.0.2'))).toBe(true);
    gate.release(countNetwork('10.0.0.1'));
    expect(gate.admit(countNetwork('10.0.0.1'))).toBe(true);
  });

  it('ignores a release without an admission', () => {
    const gate = createStartupGate({ limit: 4, random: () => 0 });
    gate.release(countNetwork('10.0.0.9'));
    expect([1, 2, 3].map((index) => gate.admit(addressOf(index)))).toEqual([true, true, false]);
  });

  it('counts the addresses of an IPv6 network as one client', () => {
    const gate = createStartupGate({ limit: 40, random: () => 0.999 });
    const ofOneNetwork = Array.from({ length: 10_000 }, (_, index) => `2001:db8:0:1::${index.toString(16)}`);
    expect(ofOneNetwork.filter((address) => gate.admit(countNetwork(address)))).toHaveLength(10);
    expect(gate.networks).toBe(1);
    expect(gate.admit(countNetwork('2001:db8:0:2::1'))).toBe(true);
  });

  it('remembers no more clients than it has places, and none that have disconnected', () => {
    const gate = createStartupGate({ limit: 200 });
    const clients = Array.from({ length: 10_000 }, (_, index) => countNetwork(`2001:db8:0:${index.toString(16)}::1`));
    const admitted = clients.filter((client) => gate.admit(client));
    expect(admitted.length).toBeLessThanOrEqual(200);
    expect(gate.networks).toBe(admitted.length);
    for (const client of clients) gate.release(client);
    expect(gate.networks).toBe(0);
  });
});
