import { expect, test } from 'vitest';
import { createTestSigner } from '../../../tests/some-events.ts';
import { keysTrustedThrough, vouchFor } from './key-voucher.ts';

const [first, second, third, stranger] = Array.from({ length: 4 }, () => createTestSigner());
if (!first || !second || !third || !stranger) throw new Error('four signers are needed');

test('a key is trusted through its successors, in whatever order they are read', () => {
  const vouchers = [vouchFor(first.publicKey, second), vouchFor(second.publicKey, third)];
  const all = [first, second, third].map(({ publicKey }) => publicKey).toSorted();
  expect(keysTrustedThrough([third.publicKey], vouchers).toSorted()).toEqual(all);
  expect(keysTrustedThrough([third.publicKey], vouchers.toReversed()).toSorted()).toEqual(all);
  expect(keysTrustedThrough([first.publicKey], vouchers)).toEqual([first.publicKey]);
});

test('a voucher that no trusted key has signed has no effect', () => {
  const genuine = vouchFor(first.publicKey, third);
  for (const forged of [
    vouchFor(stranger.publicKey, stranger),
    { ...vouchFor(stranger.publicKey, stranger), vouchedBy: third.publicKey },
    { ...genuine, publicKey: stranger.publicKey },
    { ...genuine, publicKey: stranger.publicKey, signature: '' },
    vouchFor('no key', third),
    vouchFor('', third),
  ]) {
    expect(keysTrustedThrough([third.publicKey], [forged])).toEqual([third.publicKey]);
  }
});

test('keys that vouch for each other cause no endless loop', () => {
  const vouchers = [vouchFor(first.publicKey, second), vouchFor(second.publicKey, first)];
  expect(keysTrustedThrough([third.publicKey], vouchers)).toEqual([third.publicKey]);
  expect(keysTrustedThrough([first.publicKey], vouchers)).toHaveLength(2);
});
