import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { originOfJob } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const submit = async (contractName: string, actionName: string, actionVariables = {}): Promise<number> =>
  ((await site.manager.submit({ contractName, actionName, actionVariables })).json() as ShownJob).id;
const outboxEvents = async (path: string) =>
  await site.platform.database.query(
    `SELECT payload FROM outbox.events WHERE topic = 'audit-event' AND payload::text LIKE $1`,
    [`%${path}%`],
  );

describe('a file that arrives', () => {
  it('is compressed into the outbox, byte for byte, by one job that carries its dataflow on', async () => {
    const content = randomBytes(1_500_000);
    await site.platform.deliver('/inbox/invoice.csv', content);
    const job = await waitFor(async () => (await site.manager.jobs({ contractActionTrigger: 'NewFile' })).jobs[0], {
      what: 'the job',
    });
    const done = await site.manager.reaches(job.id, 'COMPLETED');
    const compressed = await site.platform.read('/outbox/invoice.csv.gz');
    expect(gunzipSync(compressed ?? '').equals(content)).toBe(true);

    const source = await site.platform.filebox.find(site.platform.vfsId, parseVirtualPath('/inbox/invoice.csv'));
    const target = await site.platform.filebox.find(site.platform.vfsId, parseVirtualPath('/outbox/invoice.csv.gz'));
    if (source?.kind !== 'file' || target?.kind !== 'file') throw new Error('a file is missing');
    expect(done).toMatchObject({ submittedBy: 'acme', statusMessage: 'All steps are done (1)', dfic: source.dfic });
    expect(target.dfic).toEqual(source.dfic);
    expect(target.mediaType).toBe('application/gzip');
    expect(await outboxEvents('/outbox/invoice.csv.gz')).toHaveLength(1);
    expect(done.steps?.[0]?.outputs).toMatchObject({ path: '/outbox/invoice.csv.gz', sha256: target.sha256 });
  });

  it('starts nothing when its name does not fit', async () => {
    await site.platform.deliver('/inbox/invoice.txt', Buffer.from('x'));
    await site.platform.deliver('/inbox/after.csv', Buffer.from('y'));
    await waitFor(() => site.platform.read('/outbox/after.csv.gz'), { what: 'the file after it' });
    expect(await site.platform.read('/outbox/invoice.txt.gz')).toBeUndefined();
  });

  it('starts one job however often its event is delivered', async () => {
    await site.platform.deliver('/inbox/once.csv', Buffer.from('once'));
    await waitFor(() => site.platform.read('/outbox/once.csv.gz'), { what: 'the job' });
    const [row] = await site.platform.database.query(
      `SELECT event_id, dfiid, vfs_id, file ->> 'fileset' AS fileset FROM jobs.jobs WHERE file ->> 'name' = 'once.csv'`,
    );
    await site.platform.database.query(`INSERT INTO outbox.events (id, topic, payload) VALUES ($1, 'file-event', $2)`, [
      row?.['event_id'],
      JSON.stringify({
        kind: 'stored',
        occurredAt: new Date().toISOString(),
        vfsId: row?.['vfs_id'],
        path: '/inbox/once.csv',
        fileset: row?.['fileset'],
        size: '4',
        byTransfer: true,
        userName: userNameSchema.parse('acme'),
        dfic: { dfiid: row?.['dfiid'], lcid: 'x:0', userAttrs: {} },
      }),
    ]);
    await waitFor(
      async () =>
        (await site.platform.database.query('SELECT FROM outbox.events WHERE id = $1', [row?.['event_id']])).length ===
        0,
      { what: 'the event to be taken again' },
    );
    expect((await site.manager.jobs({ dfiid: String(row?.['dfiid']) })).jobs).toHaveLength(1);
  });

  it('does not start jobs without end: the 17th in a row ends in ERROR and says why', async () => {
    await site.platform.deliver('/loop/a', Buffer.from('start'));
    const last = await waitFor(async () => (await site.manager.jobs({ contract: 'loops', status: 'ERROR' })).jobs[0], {
      what: 'the end of the chain',
      timeoutMs: 20_000,
    });
    expect(last.statusMessage).toContain('16 jobs in a row');
    const shown = await site.manager.job(last.id);
    expect(shown.history?.map(({ to }) => to)).toEqual(['SUBMITTED', 'SUSPENDED', 'ERROR']);
    expect((await site.manager.jobs({ contract: 'loops' })).jobs).toHaveLength(17);
  });
});

describe('a job that only renames a file', () => {
  it('is a link of a chain: what the 16th in a row renames starts no other job', async () => {
    const [from, to] = [parseVirtualPath('/loop/chain.part'), parseVirtualPath('/loop/chain')];
    const origin = originOfJob('loops', 'lengthen', 16);
    await using upload = await site.platform.filebox.beginUpload(site.platform.vfsId, from, {
      origin,
      overwrite: false,
    });
    await upload.commit();
    await site.platform.filebox.rename(site.platform.vfsId, from, to, { origin, overwrite: false });
    const stopped = await waitFor(
      async () => {
        const { jobs } = await site.manager.jobs({ contract: 'loops', status: 'ERROR' });
        for (const { id } of jobs) {
          const [row] = await site.platform.database.query(
            `SELECT file ->> 'name' AS name FROM jobs.jobs WHERE id = $1`,
            [id],
          );
          if (row?.['name'] === 'chain') return await site.manager.job(id);
        }
        return undefined;
      },
      { what: 'the job that is not run' },
    );
    expect(stopped.statusMessage).toContain('16 jobs in a row');
    expect(await site.platform.read('/loop/chainx')).toBeUndefined();
  });
});

describe('a step that fails', () => {
  it('is tried as often as it may be, then ends the job with a message that names step and reason', async () => {
    const id = await submit('invoices', 'write-then-compress');
    const job = await site.manager.reaches(id, 'ERROR');
    expect(job.statusMessage).toMatch(/^Step 'compress' failed: /u);
    expect(job.statusMessage).toContain('/inbox/absent');
    expect(job.steps?.map(({ attempts }) => attempts)).toEqual([1, 2]);
  });

  it('is not tried again when its expression can never be evaluated', async () => {
    const id = await submit('invoices', 'write-unknown');
    const job = await site.manager.reaches(id, 'ERROR');
    expect(job.statusMessage).toContain('there is no variables.text');
    expect(job.steps?.[0]?.attempts).toBe(1);
  });

  it('cannot leave its VFS: a variable is a piece of a path and nothing more', async () => {
    for (const name of ['../../etc/passwd', 'a\u0001b', 'x/../../y']) {
      const job = await site.manager.reaches(await submit('invoices', 'write-report', { name }), 'ERROR');
      expect(job.statusMessage).toContain("Step 'write' failed: path:");
    }
  });

  it('says so when the folder of its target is not there', async () => {
    const job = await site.manager.reaches(await submit('invoices', 'write-nowhere'), 'ERROR');
    expect(job.statusMessage).toContain('/absent');
  });

  it('continues after a delay if a retry is left', async () => {
    await site.platform.deliver('/inbox/retried.csv', Buffer.from('r'));
    await site.platform.filebox
      .deleteFile(site.platform.vfsId, parseVirtualPath('/inbox/retried.csv'), {
        origin: {
          userName: userNameSchema.parse('acme'),
          actorName: 'acme',
          clusterName: 'c',
          peerName: 'p',
          serverName: 's',
          protocol: 'SFTP',
        },
      })
      .catch(() => undefined);
    const job = await waitFor(
      async () =>
        (
          await site.platform.database.query(
            `SELECT jobs.id, steps.failures FROM jobs.jobs JOIN jobs.steps ON steps.job_id = jobs.id
             WHERE file ->> 'name' = 'retried.csv' AND (failures > 0 OR steps.status = 'COMPLETED')`,
          )
        )[0],
      { what: 'the first failure' },
    );
    await site.platform.deliver('/inbox/retried.csv', Buffer.from('second'));
    const done = await site.manager.reaches(Number(job['id']), 'COMPLETED');
    expect(done.steps?.[0]?.attempts).toBe(Number(job['failures']) + 1);
  });
});

describe('queues', () => {
  it('suspend the jobs of a disabled queue, and run them when it is enabled', async () => {
    const id = await submit('closed', 'write-report', { name: 'closed' });
    const job = await site.manager.reaches(id, 'SUSPENDED');
    expect(job.statusMessage).toContain('queue is disabled');
    const queues = testConfiguration.queues.map(({ name, ...rest }) => ({ ...rest, name, status: 'Enabled' }));
    await site.platform.apply({ ...testConfiguration, queues });
    await site.manager.reaches(id, 'COMPLETED');
    await site.platform.apply(testConfiguration);
  });
});
