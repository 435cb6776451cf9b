import { describe, expect, it } from 'vitest';
import { apiKeyHash, isApiKey, newApiKey } from './api-key.ts';

describe('an API key', () => {
  it('is random, and known by its hash', () => {
    const keys = Array.from({ length: 1_000 }, newApiKey);
    expect(new Set(keys).size).toBe(1_000);
    const [key = ''] = keys;
    expect(key).toMatch(/^wbk_[\w-]{48}$/u);
    expect(isApiKey(key)).toBe(true);
    expect(apiKeyHash(key)).toHaveLength(32);
    expect(apiKeyHash(key)?.toString('hex')).not.toContain(Buffer.from(key).toString('hex'));
  });

  it('is refused without a look at the database if one character is another one', () => {
    const key = newApiKey();
    for (let position = 4; position < key.length; position += 1) {
      const other = key[position] === 'A' ? 'B' : 'A';
      expect(apiKeyHash(key.slice(0, position) + other + key.slice(position + 1)), String(position)).toBeUndefined();
    }
  });

  it.each([
    ['nothing', ''],
    ['the prefix', 'wbk_'],
    ['a truncated key', newApiKey().slice(0, -1)],
    ['a longer key', `${newApiKey()}A`],
    ['another prefix', newApiKey().replace('wbk_', 'WBK_')],
    ['a huge one', `wbk_${'A'.repeat(1_000_000)}`],
    ['a line end', `${newApiKey()}\n`],
  ])('cannot be %s', (_, key) => {
    expect(apiKeyHash(key)).toBeUndefined();
  });
});
