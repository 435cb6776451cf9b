import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createLogger } from '../telemetry/logger.ts';
import { Secret } from './secret.ts';

test('a secret does not print in any way that a program prints', () => {
  const secret = new Secret('hunter2');
  const lines: string[] = [];
  createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } }).info(
    { secret },
    String(secret),
  );
  const printed = [String(secret), JSON.stringify({ secret }), inspect({ secret }), ...lines].join('\n');
  expect(printed).not.toContain('hunter2');
  expect(secret.reveal()).toBe('hunter2');
});
