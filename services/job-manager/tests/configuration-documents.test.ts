import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { oneConfiguredManager, prefix, team, variables } from './configuration-requests.ts';

const { site, post, planOf, applied, exported, audited } = oneConfiguredManager();

describe('a plan over the API', () => {
  it.each([
    ['of another source than the request', { ...team(), source: 'other' }, { source: 'team' }, 'source'],
    ['with unknown settings', { actors: [{ name: 'a', type: 'Partner', colour: 'red' }] }, {}, 'actors[0].colour'],
    ['with a variable that was not sent', team(), { variables: {} }, 'actors[0].users[0].password'],
    ['with a variable of the server', { manager: { name: '${PATH}' } }, {}, 'manager.name'],
    ['with a variable of every object', { manager: { name: '${constructor}' } }, {}, 'manager.name'],
    [
      'with a dangling reference',
      {
        actors: [
          {
            name: 'acme',
            contracts: [
              {
                name: 'x',
                type: 'Input',
                queue: 'none',
                actions: [{ name: 'a', trigger: { type: 'OnDemand' }, workflow: 'pack' }],
              },
            ],
          },
        ],
      },
      { source: 'team' },
      'actors[0].contracts[0].queue',
    ],
  ])('of a document %s is refused with the place', async (_, document, more, field) => {
    const response = await post('plan', { document: JSON.stringify(document), variables, ...more });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining(JSON.stringify(field))]);
    const checked = await post('validate', { document: JSON.stringify(document), variables, ...more });
    expect(checked.json()).toMatchObject({
      isValid: false,
      errors: expect.arrayContaining([expect.objectContaining({ field })]),
    });
  });

  it('in YAML is refused with the lines and columns of all errors, of plans and checks alike', async () => {
    const document = [
      'source: team',
      'workflowTemplates:',
      '  - name: pack',
      '    steps:',
      '      - name: pack',
      '        uses: gzip',
      "        with: { soruce: /a, target: '/b/${{ file.path }}' }",
      'actors:',
      '  - name: umbrella',
      '    type: Partner',
      '    virtualFileSystems: [{ name: umbrella-files }]',
      '    contracts:',
      '      - name: packing',
      '        type: Mediation',
      '        actions: [{ name: pack, vfs: umbrella-files, trigger: { type: OnDemand }, workflow: pack }]',
    ].join('\n');
    const expected = expect.arrayContaining([
      expect.objectContaining({ field: 'workflowTemplates[0].steps[0].with.soruce', line: 7, column: 17 }),
      // The expression itself, not the text that it is in.
      expect.objectContaining({ field: 'workflowTemplates[0].steps[0].with.target', line: 7, column: 45 }),
    ]);
    expect((await post('plan', { document })).json()).toMatchObject({ errors: expected });
    expect((await post('validate', { document })).json()).toMatchObject({ isValid: false, errors: expected });
    const structure = (
      await post('plan', { document: 'source: team\nqueues:\n  - { name: a, priority: 99 }\n' })
    ).json();
    expect(structure).toMatchObject({ errors: [{ field: 'queues[0].priority', line: 3, column: 16 }] });
    const [without] = (
      (await post('plan', { document: '{"queues":[{"name":"a","priority":99}]}' })).json() as { errors: object[] }
    ).errors;
    expect(without).not.toHaveProperty('line');
  });

  it('with errors of shape is refused with its unknown references too, unless others have what they name', async () => {
    const action = (workflow: string) => ({
      name: workflow,
      vfs: 'shaped-files',
      trigger: { type: 'OnDemand' },
      workflow,
    });
    const value = {
      source: 'team',
      queues: [{ name: 'ours', priority: 99 }],
      actors: [
        { name: 'bad name' },
        {
          name: 'shaped',
          type: 'Partner',
          virtualFileSystems: [{ name: 'shaped-files' }],
          contracts: [
            { name: 'one', type: 'Input', queue: 'ours', actions: [action('compress-file'), action('compress-flie')] },
            { name: 'two', type: 'Nothing', actions: [action('none')] },
          ],
        },
      ],
    };
    const document = JSON.stringify(value);
    const expected = [
      { field: 'queues[0].priority' },
      { field: 'actors[0].name' },
      { field: 'actors[1].contracts[1].type' },
      {
        field: 'actors[1].contracts[0].actions[1].workflow',
        message: 'there is no workflow template compress-flie; did you mean compress-file?',
      },
    ];
    const errors = expected.map((one): unknown => expect.objectContaining(one));
    expect((await post('plan', { document })).json()).toMatchObject({ errors });
    expect((await post('validate', { document })).json()).toEqual({ isValid: false, errors });
  });

  it('does not read files of the server that a variable names', async () => {
    const document = JSON.stringify({ source: 'team', manager: { name: '${HOST}' } });
    const response = await post('plan', { document, variables: { HOST_FILE: '/etc/hostname' } });
    expect([response.status, response.text]).toEqual([400, expect.stringContaining('HOST is not set')]);
  });

  it.each([
    ['empty', ''],
    ['no mapping', '[]'],
    ['no YAML', 'a: [1'],
    ['deep', `a: ${'['.repeat(50_000)}`],
    ['binary', '\u0000\u0001'],
  ])('of a document that is %s is refused', async (_, document) => {
    expect((await post('plan', { document })).status).toBe(400);
    expect((await post('validate', { document })).json()).toMatchObject({ isValid: false });
  });

  it('takes documents of megabytes, and none beyond its limit', async () => {
    const large = { source: 'team', actors: [{ name: 'a', type: 'Partner', description: 'x'.repeat(2_048) }] };
    const padded = `${JSON.stringify(large)}${' '.repeat(3 * 1024 * 1024)}`;
    expect((await planOf(padded)).counts).toEqual({ created: 1, modified: 0, deleted: 0 });
    const response = await post('validate', { document: ' '.repeat(33 * 1024 * 1024) }).catch(() => ({ status: 413 }));
    expect(response.status).toBe(413);
  });

  it('is for administrators alone', async () => {
    for (const path of ['plan', 'apply', 'validate'])
      expect((await post(path, { document: '{}', planId: 'x' }, site.manager.viewer)).status).toBe(403);
    const shown = await site.manager.client.get(`${prefix}/configuration/export`, { bearer: site.manager.viewer });
    expect(shown.status).toBe(403);
  });
});

describe('an export', () => {
  it.each(['yaml', 'json'])('in %s of each source makes an empty plan, and keeps passwords', async (format) => {
    await applied(await planOf(team({ description: 'costs $${5} and ${{ x }}' }), { variables }));
    for (const { source, document } of await exported({ format })) {
      expect(source).not.toBeNull();
      expect(await planOf(document)).toMatchObject({ source, changes: [] });
    }
    const [one] = await exported({ format, source: 'team' });
    expect(one).toMatchObject({ source: 'team', file: 'team.yaml' });
    expect(parse(one?.document ?? '')).toMatchObject({
      source: 'team',
      actors: [
        {
          name: 'umbrella',
          description: 'costs $${5} and ${{ x }}',
          users: [{ name: 'tom', password: { keep: true } }],
        },
      ],
    });
    expect(await audited("payload ->> 'auditCode' = 'AUD0082A' AND payload ->> 'entityName' = 'team'")).not.toEqual([]);
  });

  it('of what the API owns makes a file that a source can take over', async () => {
    const actor = { name: 'other', type: 'Partner' };
    await site.manager.client.post(`${prefix}/actors`, { json: actor, bearer: site.manager.admin });
    const [one, ...more] = await exported({ source: '', format: 'json' });
    expect(more).toEqual([]);
    expect(one).toMatchObject({ source: null, file: null });
    expect(JSON.parse(one?.document ?? '')).toEqual({ actors: [actor] });
  });
});

describe('the JSON Schema of documents', () => {
  const address = `${prefix}/configuration/schema`;

  it('is read by editors without a login, and is the one that waybill prints', async () => {
    const response = await site.manager.client.get(address);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/schema\+json\b/u),
    ]);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    const printed = await runWaybill(['schema']);
    expect([printed.code, JSON.parse(printed.out)]).toEqual([0, response.json()]);
    expect(response.json()).toMatchObject({ $id: 'urn:waybill:configuration-schema' });
  });

  it('is not sent again to those who have it', async () => {
    const etag = (await site.manager.client.get(address)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/u);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await site.manager.client.get(address, { headers: { 'If-None-Match': known } });
      expect([known, response.status, response.text]).toEqual([known, 304, '']);
      expect(response.headers.get('etag')).toBe(etag);
    }
    for (const other of ['"other"', etag.slice(0, -2), '', ',', 'x'.repeat(2_000)]) {
      const response = await site.manager.client.get(address, { headers: { 'If-None-Match': other } });
      expect([other, response.status]).toEqual([other, 200]);
    }
  });

  it('is read only', async () => {
    const response = await site.manager.client.post(address, { json: {}, bearer: site.manager.admin });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
