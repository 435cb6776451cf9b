import { expect, test } from 'vitest';
import { withCorrelation } from './correlation.ts';
import { createLogger } from './logger.ts';

test('a line is JSON with the ids in force, and without passwords and tokens', () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'audit', level: 'info', destination: { write: (line) => lines.push(line) } });
  withCorrelation({ requestId: 'r1' }, () =>
    withCorrelation({ dfiid: 'd1' }, () =>
      logger.info({ password: 'hunter2', request: { authorization: 'Bearer x' } }, 'hello'),
    ),
  );
  logger.debug('below the level');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    service: 'audit',
    requestId: 'r1',
    dfiid: 'd1',
    msg: 'hello',
  });
  expect(lines[0]).not.toMatch(/hunter2|Bearer/u);
});
