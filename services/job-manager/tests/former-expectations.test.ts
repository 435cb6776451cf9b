import { expect, it } from 'vitest';
import { z } from 'zod';
import { expectingConfiguration } from './expectation-configuration.ts';
import { dailyAt, expectationSite, hoursFromNow, pageOf } from './expectation-rig.ts';

const site = expectationSite();
const api = '/platform-application/api/v1';
const states = '/job-manager/expectations';

/** The contract `due` belongs to another actor, which has files of its own. */
function givenAway(settings: object): object {
  const wanted = z
    .looseObject({
      actors: z.array(z.looseObject({ name: z.string(), contracts: z.array(z.looseObject({ name: z.string() })) })),
    })
    .parse(expectingConfiguration({ ...settings, vfs: 'rival-files' }));
  const due = wanted.actors.flatMap(({ contracts }) => contracts).find(({ name }) => name === 'due');
  const actors = wanted.actors.map((actor) => ({
    ...actor,
    contracts: actor.contracts.filter(({ name }) => name !== 'due'),
  }));
  const rival = { name: 'rival', type: 'Partner', virtualFileSystems: [{ name: 'rival-files' }], contracts: [due] };
  return { ...wanted, actors: [...actors, rival] };
}

it('what came of a contract is not shown to another actor that gets a contract of its name, and is not acknowledged by it', async () => {
  const due = hoursFromNow(2);
  const settings = { cron: dailyAt(due), graceMinutes: 30 };
  await site.expects(settings);
  await site.judgeAt(hoursFromNow(0));
  await site.platform.deliver('/inbox/secret.due', Buffer.from('1'));
  const met = await site.reaches('met', 1);
  await site.platform.apply(givenAway(settings));
  await site.judgeAt(hoursFromNow(0));

  const limited = async (actor: string) => {
    const json = { name: `of-${actor}`, actors: [actor] };
    const created = await site.manager.client.post(`${api}/api-keys`, { json, bearer: site.manager.admin });
    return z.object({ key: z.string() }).parse(created.json()).key;
  };
  const list = async (bearer: string) => pageOf(await site.manager.client.get(states, { bearer })).expectations;
  const [former, rival] = [await limited('acme'), await limited('rival')];
  // The same due time is another state for the new contract, which nothing of the former one has met.
  expect(await list(rival)).toMatchObject([{ dueAt: due.toISOString(), state: 'pending', files: 0, lastPath: null }]);
  expect(await list(former)).toMatchObject([{ id: met.id, state: 'met', lastPath: '/inbox/secret.due' }]);
  expect((await site.manager.client.get(`${states}/${met.id}`, { bearer: rival })).status).toBe(404);
  await site.platform.database.query(`UPDATE jobs.expectation_states SET state = 'missed' WHERE id = $1`, [met.id]);
  expect((await site.acknowledge(met.id, { reason: 'mine' }, rival)).status).toBe(404);
  expect((await site.acknowledge(met.id, { reason: 'known' }, former)).status).toBe(200);

  await site.judgeAt(new Date(due.getTime() + 31 * 60_000));
  expect((await list(rival)).map(({ state }) => state)).toEqual(['pending', 'missed']);
});
