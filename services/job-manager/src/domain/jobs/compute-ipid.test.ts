import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeIpid } from './compute-ipid.ts';

const identity = fc.record({ user: fc.string(), contract: fc.string(), action: fc.string(), extIPID: fc.string() });

describe('the internal idempotency identifier', () => {
  it('is SHA-256 over the JSON array of the four texts', () => {
    const ipid = computeIpid({ user: 'admin', contract: 'invoices', action: 'write-report', extIPID: 'order-4711' });
    expect(ipid.toString('hex')).toBe('e7c7480f7e35705880eff0612d0bca39abc25319fb498d7dcf3fa842cb416a27');
  });

  it('is the same for the same submission and different for every other', () => {
    fc.assert(
      fc.property(identity, identity, (one, other) => {
        const same = JSON.stringify(Object.values(one)) === JSON.stringify(Object.values(other));
        expect(computeIpid(one).equals(computeIpid(other))).toBe(same);
      }),
    );
  });

  it('does not let a text run into its neighbour', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (head, tail, rest) => {
        const one = computeIpid({ user: head + tail, contract: rest, action: 'a', extIPID: 'e' });
        const other = computeIpid({ user: tail, contract: head + rest, action: 'a', extIPID: 'e' });
        expect(one.equals(other)).toBe(head + tail === tail && rest === head + rest);
      }),
    );
  });
});
