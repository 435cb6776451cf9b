import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readRemembered, writeRemembered } from './remembered-configuration.ts';

it('resolves files inside the clone after it was moved, and leaves other paths unchanged', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waybill-remembered-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [before, after] = [path.join(folder, 'before'), path.join(folder, 'after')];
  mkdirSync(path.join(before, '.waybill'), { recursive: true });
  expect(readRemembered(path.join(before, '.waybill', 'configuration.json'))).toBeUndefined();
  writeRemembered(path.join(before, '.waybill', 'configuration.json'), {
    file: path.join(before, 'deploy', 'demo', 'platform.yaml'),
    variables: { A: path.join(before, '.waybill', 'keys', 'A'), B: '/run/secrets/b', C: path.join(folder, 'c') },
  });
  renameSync(before, after);
  expect(readRemembered(path.join(after, '.waybill', 'configuration.json'))).toEqual({
    file: path.join(after, 'deploy', 'demo', 'platform.yaml'),
    variables: { A: path.join(after, '.waybill', 'keys', 'A'), B: '/run/secrets/b', C: path.join(folder, 'c') },
  });
});
