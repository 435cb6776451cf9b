import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

const canary = 'canary-4711';

function logged(error: unknown): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLogger({ service: 'test', level: 'info', destination }).error({ err: error }, 'it failed');
  return lines.join('');
}

test('what a library attaches to an error is not logged', () => {
  const refused = Object.assign(new Error('WRONGPASS'), { command: { name: 'auth', args: [canary] } });
  expect(logged(refused)).not.toContain(canary);
  expect(logged(new AggregateError([refused], 'all failed'))).not.toContain(canary);
  expect(logged(new Error('outer', { cause: refused }))).not.toContain(canary);
});

test('nor is an address that cannot be read', () => {
  let error: unknown;
  try {
    void new URL(`redis://:${canary}@[bad`);
  } catch (thrown) {
    error = thrown;
  }
  expect(logged(error)).toContain('Invalid URL');
  expect(logged(error)).not.toContain(canary);
});

test('what tells the errors apart is', () => {
  const error = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED', port: 5432, syscall: 'connect' });
  expect(JSON.parse(logged(new AggregateError([error], 'all failed')))).toMatchObject({
    err: { aggregateErrors: [{ message: 'connect failed', code: 'ECONNREFUSED', port: 5432, syscall: 'connect' }] },
  });
  expect(JSON.parse(logged(new Error('outer', { cause: error })))).toMatchObject({
    err: { message: 'outer: connect failed' },
  });
});

test('a thrown value that is not an error is logged unchanged', () => {
  expect(JSON.parse(logged('a text'))).toMatchObject({ err: 'a text' });
});
