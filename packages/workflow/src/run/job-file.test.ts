import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { describe, expect, it } from 'vitest';
import { describeFile } from './job-file.ts';

const of = (path: string) => describeFile(parseVirtualPath(path), '4', '10');

describe('the file of a job', () => {
  it('is split into folder, name, stem and extension', () => {
    expect(of('/inbox/a.tar.gz')).toEqual({
      path: '/inbox/a.tar.gz',
      name: 'a.tar.gz',
      folder: '/inbox',
      stem: 'a.tar',
      extension: '.gz',
      fileset: '4',
      size: '10',
    });
  });

  it('has no extension when its name has no dot, or begins with its only one', () => {
    expect(of('/README')).toMatchObject({ folder: '/', stem: 'README', extension: '' });
    expect(of('/.profile')).toMatchObject({ stem: '.profile', extension: '' });
  });
});
