import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stageNamed } from './stages.js';

describe('stageNamed', () => {
  it.each(['start', 'tour', 'test', 'test:clients', 'dev', 'waybill'])('leads %s to a script that exists', (name) => {
    const [script = ''] = stageNamed(name, { DATABASE_URL: 'postgresql://here' });
    expect(existsSync(new URL(`../../../${script}`, import.meta.url))).toBe(true);
  });

  it.each([undefined, 'strat', 'toString'])('refuses %s and lists the stages', (name) => {
    expect(() => stageNamed(name, {})).toThrow('start|tour|test|test:clients|');
  });

  it('makes the command line use what `npm start` runs, unless it was given a database', () => {
    const [script] = stageNamed('waybill', { DATABASE_URL: 'postgresql://here' });
    expect(stageNamed('waybill', {})).toEqual(['--env-file-if-exists=.waybill/environments/waybill.env', script]);
    const env = { DATABASE_URL: '', WAYBILL_DIR: '/else' };
    expect(stageNamed('waybill', env)[0]).toBe('--env-file-if-exists=/else/environments/waybill.env');
  });
});
