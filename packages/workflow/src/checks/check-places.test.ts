import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { describe, expect, it } from 'vitest';
import { checkTemplate } from './check-template.ts';

const files = {
  title: 'orders/pack',
  vfs: 'acme-files',
  grants: [{ vfs: 'globex-files', path: parseVirtualPath('/inbox'), rights: ['upload'] as const }],
};

function faultsOf(
  uses: string,
  parameters: Readonly<Record<string, unknown>>,
  reached: typeof files | undefined = files,
) {
  const step = { name: 'only', uses, with: parameters };
  return checkTemplate({ steps: [step] }, { files: reached });
}

describe('a path in another VFS', () => {
  it.each([
    ['/out/a.gz'],
    ['acme-files:/out/a.gz'],
    ['globex-files:/inbox/a.gz'],
    ['globex-files:/inbox/${{ file.name }}.gz'],
    ['globex-files:/${{ variables.folder }}/a.gz'],
    ['${{ variables.target }}'],
  ])('may be granted: %s', (target) => {
    expect(faultsOf('gzip', { source: '/a', target })).toEqual([]);
  });

  it.each([
    [
      'globex-files:/inbox2/a.gz',
      'the action orders/pack does not grant upload at /inbox2/a.gz of the VFS globex-files',
    ],
    [
      'globex-files:/out/${{ file.name }}',
      'the action orders/pack does not grant upload below /out of the VFS globex-files',
    ],
    ['initech-files:/inbox/a.gz', 'the action orders/pack has no grant for the VFS initech-files'],
    ['globex-files:/inbox/../a', 'The path is not valid: `.` and `..` are not names'],
  ])('is refused when the workflow is saved, at its place: %s', (target, message) => {
    expect(faultsOf('gzip', { source: '/a', target })).toEqual([{ path: ['steps', 0, 'with', 'target'], message }]);
  });

  it('needs the right of its parameter', () => {
    expect(faultsOf('gzip', { source: 'globex-files:/inbox/a', target: '/a' })).toMatchObject([
      { path: ['steps', 0, 'with', 'source'], message: expect.stringContaining('does not grant download') },
    ]);
  });

  it('is checked in lists and in optional parameters too', () => {
    const mail = { connection: 'mail', to: 'c@d.example', subject: 's', text: 't' };
    expect(faultsOf('send-email', { ...mail, attachments: ['/a', 'globex-files:/inbox/a'] })).toMatchObject([
      { path: ['steps', 0, 'with', 'attachments', 1] },
    ]);
    expect(faultsOf('http-request', { connection: 'c', target: 'initech-files:/a' })).toMatchObject([
      { path: ['steps', 0, 'with', 'target'] },
    ]);
  });

  it('is not checked for a template that no action uses', () => {
    const step = { name: 'only', uses: 'gzip', with: { source: '/a', target: 'globex-files:/inbox/a' } };
    expect(checkTemplate({ steps: [step] }, {})).toEqual([]);
  });
});
