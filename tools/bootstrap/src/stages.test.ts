import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { stageNamed } from './stages.js';

const [root, folder] = ['/repo', '/repo'];
const here = { root, folder, env: { DATABASE_URL: 'postgresql://here' } };

describe('stageNamed', () => {
  it.each(['start', 'tour', 'test', 'test:clients', 'dev', 'bundle:client', 'bundle:command-line', 'waybill'])(
    'leads %s to a script that exists',
    (name) => {
      const repository = fileURLToPath(new URL('../../../', import.meta.url));
      const { args, cwd } = stageNamed(name, { ...here, root: repository, folder: repository });
      expect([existsSync(args[0] ?? ''), cwd]).toEqual([true, repository]);
    },
  );

  it.each([undefined, 'strat', 'toString'])('refuses %s and lists the stages', (name) => {
    expect(() => stageNamed(name, here)).toThrow('start|tour|test|test:clients|');
  });

  it('makes the command line use what `npm start` runs, unless it was given a database', () => {
    const { args } = stageNamed('waybill', here);
    expect(stageNamed('waybill', { ...here, env: {} }).args).toEqual([
      '--env-file-if-exists=/repo/.waybill/environments/waybill.env',
      ...args,
    ]);
    for (const [WAYBILL_DIR, place] of [
      ['/else', '/else'],
      ['.waybill-own', '/repo/.waybill-own'],
    ] as const) {
      const env = { DATABASE_URL: '', WAYBILL_DIR, npm_lifecycle_event: 'waybill', INIT_CWD: '/home/ann' };
      expect(stageNamed('waybill', { ...here, env }).args[0]).toBe(
        `--env-file-if-exists=${place}/environments/waybill.env`,
      );
    }
  });

  it('runs the command line, and nothing else, in the folder of the caller', () => {
    const env = { npm_lifecycle_event: 'waybill', INIT_CWD: '/home/ann' };
    expect(stageNamed('waybill', { ...here, env }).cwd).toBe('/home/ann');
    expect(stageNamed('start', { ...here, env: { ...env, npm_lifecycle_event: 'start' } }).cwd).toBe('/repo');
    // Another script of npm has started this program, and its folder is not that of the caller.
    expect(stageNamed('waybill', { ...here, folder: '/work', env: { ...env, npm_lifecycle_event: 'ci' } }).cwd).toBe(
      '/work',
    );
  });
});
