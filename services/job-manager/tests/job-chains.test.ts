import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { waitFor } from '@waybill/test-kit/wait-for';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { originOfJob } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const folders = ['/self', '/ping', '/pong', '/marked'];

beforeAll(async () => {
  await site.platform.filebox.ensureFolders(site.platform.vfsId, folders.map(parseVirtualPath));
  await site.platform.apply({
    ...testConfiguration,
    workflowTemplates: [
      ...testConfiguration.workflowTemplates,
      workflow('rewrite', 'write-file', { path: '${{ file.path }}', text: 'again' }),
      workflow('pass-on', 'write-file', { path: '${{ variables.to }}/${{ file.name }}', text: 'passed on' }),
    ],
    actors: testConfiguration.actors.map((actor) => ({
      ...actor,
      contracts: [
        ...actor.contracts,
        contract('self', 'NewFile', '/self', 'rewrite'),
        contract('ping', 'NewFile', '/ping', 'pass-on', { to: '/pong' }),
        contract('pong', 'NewFile', '/pong', 'pass-on', { to: '/ping' }),
        contract('marked', 'IncomingUpdateMetadata', '/marked', 'pass-on', { to: '/outbox' }),
      ],
    })),
  });
});

function workflow(name: string, uses: string, parameters: object) {
  return { name, steps: [{ name: 'only', uses, with: parameters }] };
}

function contract(name: string, type: string, virtualPath: string, workflowName: string, variables = {}) {
  const trigger = { type, vfs: 'acme-files', virtualPath };
  return { name, type: 'Mediation', actions: [{ name, trigger, workflow: workflowName, variables }] };
}

/** The one job of a contract that was stopped. */
const stopped = (contractName: string): Promise<ShownJob> =>
  waitFor(async () => (await site.manager.jobs({ contract: contractName, status: 'ERROR' })).jobs[0], {
    what: `the end of the chain of ${contractName}`,
  });

const depthsOf = async (contracts: readonly string[]): Promise<number[]> => {
  const rows = await site.platform.database.query(
    'SELECT chain_depth FROM jobs.jobs WHERE contract = ANY ($1) ORDER BY id',
    [contracts],
  );
  return rows.map((row) => Number(row['chain_depth']));
};

const chain = Array.from({ length: 17 }, (_, index) => index + 1);

const origin = (chainDepth: number) => originOfJob('marked', 'marked', chainDepth);

describe('a chain of jobs ends with the 17th, in ERROR and with a message that says why, when', () => {
  it('an action rewrites the file that starts it', async () => {
    await site.platform.deliver('/self/a', Buffer.from('first'));
    expect((await stopped('self')).statusMessage).toContain('16 jobs in a row');
    expect(await depthsOf(['self'])).toEqual(chain);
  });

  it('two actions feed each other', async () => {
    await site.platform.deliver('/ping/a', Buffer.from('first'));
    expect((await stopped('ping')).statusMessage).toContain('16 jobs in a row');
    expect(await depthsOf(['ping', 'pong'])).toEqual(chain);
    expect((await site.manager.jobs({ contract: 'pong', status: 'COMPLETED' })).jobs).toHaveLength(8);
  });

  it('a job changes the metadata of the file that starts it: each change is one link more', async () => {
    const { filebox, vfsId } = site.platform;
    const path = parseVirtualPath('/marked/a');
    await site.platform.deliver(path, Buffer.from('a'));
    // No task of today changes metadata: the filebox is asked as such a task would ask it.
    await filebox.setMetadata(vfsId, path, { A: '15' }, { origin: origin(15) });
    await waitFor(async () => (await depthsOf(['marked'])).length === 1, { what: 'the 16th job' });
    await filebox.setMetadata(vfsId, path, { A: '16' }, { origin: origin(16) });
    expect((await stopped('marked')).statusMessage).toContain('16 jobs in a row');
    expect(await depthsOf(['marked'])).toEqual([16, 17]);
    expect((await site.manager.jobs({ contract: 'marked' })).jobs.map(({ status }) => status)).toContain('ERROR');
  });
});
