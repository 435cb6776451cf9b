import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestSigner } from '../../../tests/some-events.ts';
import { createTrustedKeys } from '../keys/trusted-keys.ts';
import { emptyRoot } from '../tree/tree-hash.ts';
import { checkpointText, parseCheckpoint } from './checkpoint.ts';
import { signedBy, signNote, verifierKey } from './signed-note.ts';

/** The example of the specification (C2SP signed-note), which is also that of Go's package. */
const example = {
  publicKey: Buffer.from('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', 'base64').subarray(1).toString('base64url'),
  note:
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
};
const checkpoint = { origin: 'waybill/manager1/00ff', size: 7, root: emptyRoot };

describe('a signed note', () => {
  it('of the specification verifies, and its key has the same text', () => {
    const trusted = createTrustedKeys([example.publicKey]);
    expect(verifierKey('PeterNeumann', example.publicKey)).toBe(
      'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    );
    expect(signedBy(example.note, 'PeterNeumann', trusted)).toBe(example.publicKey);
    expect(signedBy(example.note.replace('answer', 'question'), 'PeterNeumann', trusted)).toBeUndefined();
    expect(signedBy(example.note, 'Somebody', trusted)).toBeUndefined();
  });

  it('verifies beside signatures of unknown keys, and with no other key', () => {
    const [signer, stranger] = [createTestSigner(), createTestSigner()];
    const name = checkpoint.origin;
    const text = checkpointText(checkpoint);
    const foreign = signNote(text, { name: 'witness', signer: stranger }).split('\n\n')[1] ?? '';
    const note = signNote(text, { name, signer }).replace('\n\n', `\n\n${foreign}`);
    expect(signedBy(note, name, createTrustedKeys([stranger.publicKey, signer.publicKey]))).toBe(signer.publicKey);
    expect(signedBy(note, name, createTrustedKeys([stranger.publicKey]))).toBeUndefined();
  });
});

describe('a checkpoint', () => {
  it('is read back from its signed note', () => {
    const note = signNote(checkpointText(checkpoint), { name: checkpoint.origin, signer: createTestSigner() });
    expect(parseCheckpoint(note)).toEqual(checkpoint);
  });

  it.each(['', 'x', 'o\n1\n', 'o\n01\nA\n\n', `o\n1\n${'A'.repeat(43)}=`, `o\n-1\n${'A'.repeat(43)}=\n\n— o AAAA\n`])(
    'is not read from %j',
    (note) => {
      expect(parseCheckpoint(note)).toBeUndefined();
    },
  );

  it('is not read from other texts, whatever they are', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseCheckpoint(text)).toBeUndefined();
      }),
    );
  });
});
