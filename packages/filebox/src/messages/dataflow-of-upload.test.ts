import { dataflowContextSchema } from '@waybill/contracts/values/dataflow-context';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import type { Origin } from '../model/origin.ts';
import { dataflowOfUpload } from './dataflow-of-upload.ts';

const origin: Origin = {
  userName: userNameSchema.parse('acme'),
  actorName: 'acme-actor',
  clusterName: 'cluster1',
  peerName: 'peer1',
  serverName: 'sftp-server',
  protocol: 'SFTP',
  vfsName: 'acme-files',
  connectionContract: 'acme-sftp',
};
const file = { vfsId: 'v1', path: parseVirtualPath('/inbox/a.csv'), size: 42, correlationId: undefined };

test('the first upload of a file begins a dataflow that says where it came from', () => {
  const dfic = dataflowOfUpload(origin, file);
  expect(dataflowContextSchema.parse(dfic)).toEqual(dfic);
  expect(dfic).toEqual({
    dfiid: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/u),
    lcid: expect.stringMatching(/^[\da-f-]{36}:0$/u),
    original_cluster: 'cluster1',
    original_peer: 'peer1',
    original_role: 'SERVER',
    original_server: 'sftp-server',
    original_protocol: 'SFTP',
    original_transferUser: 'acme',
    original_actor: 'acme-actor',
    'original_actor-filename': 'a.csv',
    'original_actor-path': '/inbox/a.csv',
    original_size: '42',
    original_filename: 'a.csv',
    original_virtualpath: '/inbox',
    original_vfs: 'acme-files',
    'original_connection-contract': 'acme-sftp',
    userAttrs: {},
  });
});

test('every first upload begins a separate dataflow', () => {
  expect(dataflowOfUpload(origin, file).dfiid).not.toBe(dataflowOfUpload(origin, file).dfiid);
});

test('a file that a job creates continues the dataflow of the job, unchanged', () => {
  const dfic = { dfiid: 'd', lcid: 'l:0', original_protocol: 'HTTP', userAttrs: { a: 1 } };
  expect(dataflowOfUpload({ ...origin, protocol: undefined, dfic }, file)).toBe(dfic);
});

test('a dataflow that a job begins names its contract and action instead of a server role', () => {
  const { connectionContract: _, ...withoutContract } = origin;
  const job = { jobId: '1', contract: 'reports', action: 'write', chainDepth: 1 };
  const dfic = dataflowOfUpload({ ...withoutContract, protocol: undefined, job }, { ...file, correlationId: 'c-9' });
  expect(dfic).toMatchObject({ original_contract: 'reports', original_action: 'write', original_corrId: 'c-9' });
  expect(dfic).not.toHaveProperty('original_role');
  expect(dfic).not.toHaveProperty('original_connection-contract');
});
