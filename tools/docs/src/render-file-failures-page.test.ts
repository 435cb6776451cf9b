import { describe, expect, it } from 'vitest';
import { fileFailureRows } from './render-file-failures-page.ts';

const [D1, D2, D3, D4, D5] = [
  'POST /login/basic',
  'PUT /files/<path>',
  'POST /files/<path>',
  'GET /files/<path>',
  'DELETE /files/<path>',
] as const;
const [D6, D7, D8, D9] = [
  'POST /metadata/<path>',
  'GET /metadata/<path>',
  'GET /countelements/<path>',
  'GET /directories/<path>',
] as const;

describe('the failures of the file interface', () => {
  it.each([
    [401, 'authentication', 'Invalid username or password', [D1, D2, D3, D4, D5, D6, D7, D8, D9]],
    [404, 'request_syntax', 'No username or password', [D1]],
    [400, 'request_syntax', 'No filename specified', [D2, D3, D4, D6, D7]],
    [400, 'request_syntax', 'Missing parameters or syntax error', [D2, D3, D6]],
    [400, 'syntax_error', 'missing param or syntax error', [D5]],
    [401, 'configuration', 'Connection contract not configured', [D2, D3, D4, D5, D6, D7, D8, D9]],
    [403, 'authorization', 'No write permission', [D2, D3, D6]],
    [403, 'authorization', 'No read permission', [D4, D7]],
    [403, 'authorization', 'No delete permission', [D5]],
    [403, 'authorization', 'No list permission', [D8, D9]],
    [404, 'io', "File '<file>' doesn't exist", [D4, D5, D6]],
    [404, 'io', "<file> doesn't exist", [D7]],
    [404, 'io', "Path '<path>' doesn't exist", [D2, D3, D4, D5, D6, D7]],
    [404, 'io', "Path doesn't exist", [D8, D9]],
  ])('have the row %i %s %s of the interface', (status, errorType, message, endpoints) => {
    const row = fileFailureRows().find((each) => each.message === message && each.status === status);
    expect(row).toMatchObject({ status, errorType });
    expect(row?.endpoints).toEqual(expect.arrayContaining(endpoints));
  });

  it('have a row for each text', () => {
    const texts = fileFailureRows().map(({ status, errorType, message }) => `${status} ${errorType} ${message}`);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.length).toBeGreaterThan(40);
  });
});
