import { expect, it } from 'vitest';
import { helpAskedFor } from './read-arguments.ts';

it('no argument asks for the platform', () => expect(helpAskedFor([])).toBeUndefined());

it.each(['--help', '-h'])('%s asks for the settings', (argument) => {
  const help = helpAskedFor([argument]);
  expect(help).toContain('  WAYBILL_BASE_PORT ');
  expect(help).toContain('An earlier start in the same folder is stopped first.');
});

it.each([['--port', '9000'], ['help'], ['--help', 'x'], [''], ['\u001B[2J'], ['--HELP']])(
  '%j is refused in one sentence that says what to do',
  (...args) => {
    expect(() => helpAskedFor(args)).toThrow(
      /^npm start takes no arguments, and "[ -~]*" is one: settings are variables/u,
    );
  },
);
