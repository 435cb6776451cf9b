import { afterEach, expect, it } from 'vitest';
import { oneConfiguredManager, prefix } from './configuration-requests.ts';
import { testConfiguration } from './test-configuration.ts';

const { site, post } = oneConfiguredManager();

const ask = (method: 'POST' | 'DELETE', path: string, json?: object) =>
  site.manager.client.request(method, `${prefix}/${path}`, { bearer: site.manager.admin, ...(json && { json }) });

const approval = (approvers: unknown) => ({
  name: 'ask',
  uses: 'wait-for-approval',
  with: { message: 'Go on?', approvers },
});
const wait = { name: 'wait', uses: 'wait', with: { seconds: 1 } };

async function create(template: object): Promise<void> {
  for (const [collection, json] of Object.entries({
    'manager-users': { name: 'apu', password: 'a long password', roles: ['Users'] },
    'workflow-templates': { name: 'four-eyes', ...template },
  })) {
    const { status, text } = await ask('POST', collection, json);
    expect([status, text]).toEqual([201, expect.any(String)]);
  }
}

afterEach(async () => {
  for (const address of ['workflow-templates/four-eyes', 'manager-users/apu']) await ask('DELETE', address);
});

const user = { collection: 'manager-users', name: 'apu' };

it.each([
  ['steps[0]', { steps: [approval(['admin', 'apu'])] }],
  ['steps[0]', { steps: [approval('admin, apu ,role:Users')] }],
  ['finally[0]', { steps: [wait], finally: [approval('apu')] }],
])('a manager user whom an approval in %s names is not deleted: %j', async (place, template) => {
  await create(template);
  const message = `Workflow Template four-eyes of the API names the user apu in ${place}.with.approvers`;
  const refusals = [
    await ask('DELETE', 'manager-users/apu?dryRun=true'),
    await ask('DELETE', 'manager-users/apu'),
    await post('changes', { changes: [{ object: user, delete: true }] }),
  ];
  for (const refused of refusals) {
    const problem = refused.json() as { errors: { message: string }[] };
    expect([refused.status, problem]).toEqual([409, expect.objectContaining({ code: 'entity_in_use' })]);
    expect(problem.errors.map((each) => each.message)).toContain(message);
  }
  const together = [
    { object: { collection: 'workflow-templates', name: 'four-eyes' }, delete: true },
    { object: user, delete: true },
  ];
  expect((await post('changes', { changes: together })).status).toBe(201);
});

it('a manager user whom no approval names is deleted', async () => {
  await create({ steps: [approval(['admin', 'role:Users', 'Apu', '${{ variables.apu }}'])] });
  expect((await ask('DELETE', 'manager-users/apu')).status).toBe(204);
});

it('a document that leaves the user out is refused, too', async () => {
  const managerUsers = [
    ...testConfiguration.managerUsers,
    { name: 'apu', password: 'a long password', roles: ['Users'] },
  ];
  await site.platform.apply({ ...testConfiguration, managerUsers });
  expect((await ask('POST', 'workflow-templates', { name: 'four-eyes', steps: [approval('apu')] })).status).toBe(201);
  await expect(site.platform.apply(testConfiguration)).rejects.toThrow(
    'Workflow Template four-eyes of the API names the user apu in steps[0].with.approvers',
  );
});
