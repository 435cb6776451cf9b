import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stageNamed } from './stages.js';

describe('stageNamed', () => {
  it.each(['start', 'tour', 'test', 'test:clients', 'dev', 'waybill'])('leads %s to a script that exists', (name) => {
    const [script = ''] = stageNamed(name);
    expect(existsSync(new URL(`../../../${script}`, import.meta.url))).toBe(true);
  });

  it.each([undefined, 'strat', 'toString'])('refuses %s and says what there is', (name) => {
    expect(() => stageNamed(name)).toThrow('start|tour|test|test:clients|');
  });
});
