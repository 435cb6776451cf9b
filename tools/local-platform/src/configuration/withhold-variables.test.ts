import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withholdVariables } from './withhold-variables.ts';

test('the variables that a configuration names are withheld from child processes, except those that every program needs', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'waybill-withhold-'));
  try {
    writeFileSync(path.join(root, 'mine.yaml'), "password: '${PARTNER_PASSWORD}'\nfolder: '${HOME}/${PATH}'\n");
    const given = { PARTNER_PASSWORD: 'x', PARTNER_PASSWORD_FILE: 'f', HOME: '/h', PATH: '/bin', LOG_LEVEL: 'debug' };
    const environment: NodeJS.ProcessEnv = { ...given };
    const config = { WAYBILL_CONFIGURATION: 'mine.yaml', WAYBILL_DIR: '.waybill' };
    expect(withholdVariables(environment, { root, config })).toEqual(given);
    const { PARTNER_PASSWORD: _withheld, ...rest } = given;
    expect(environment).toEqual(rest);
    const missing = { WAYBILL_CONFIGURATION: 'missing.yaml', WAYBILL_DIR: '.waybill' };
    expect(withholdVariables(environment, { root, config: missing })).toEqual(rest);
  } finally {
    rmSync(root, { recursive: true });
  }
});
