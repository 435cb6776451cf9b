import { describe, expect, it } from 'vitest';
import { installFailure } from './install-failure.js';

describe('installFailure', () => {
  it.each([
    ['npm', 'npm ERR! code ENOTFOUND\nnpm ERR! network request to https://registry.example failed'],
    ['npm', 'npm error code EAI_AGAIN'],
    ['pnpm', 'Failed to fetch metadata: error sending request: client error (Connect): dns error'],
  ])('says that there is no network when %s found none', (_, output) => {
    expect(installFailure('pnpm@1.2.3', output).message).toBe(
      'No network: pnpm@1.2.3 must be downloaded once, and the npm registry cannot be reached.',
    );
  });

  it('says that the disk is full', () => {
    expect(installFailure('pnpm@1.2.3', 'npm ERR! nospc ENOSPC: no space left on device').message).toMatch(
      /disk is full/u,
    );
  });

  it('says that the folder may not be written', () => {
    expect(installFailure('pnpm@1.2.3', 'npm ERR! Error: EACCES: permission denied, mkdir').message).toMatch(
      /may not write/u,
    );
  });

  it('passes on the first complaint if it recognises none', () => {
    const output = 'resolving\nnpm ERR! code E404\nnpm ERR! 404 Not Found\n';
    expect(installFailure('pnpm@1.2.3', output).message).toBe('pnpm@1.2.3 could not be installed: npm ERR! code E404');
  });

  it('is a sentence even if nothing was printed', () => {
    expect(installFailure('pnpm@1.2.3', '').message).toBe('pnpm@1.2.3 could not be installed: no reason was given.');
  });
});
