/** Partners of a configuration. Of every `changed`th, the user is disabled; of none if it is 0. */
export function manyPartners(count: number, changed: number): object[] {
  return Array.from({ length: count }, (_, at) => partner(`partner${at}`, changed > 0 && at % changed === 0));
}

/** What the partners refer to. */
export const platformOfPartners = {
  source: 'before',
  workflowTemplates: [
    { name: 'note', steps: [{ name: 'one', uses: 'write-file', with: { path: '/outbox/a', text: 'b' } }] },
  ],
};

function partner(name: string, isChanged: boolean): object {
  const vfs = `${name}-files`;
  return {
    name,
    type: 'Partner',
    users: [{ name, publicKeys: [keyOf(name)], groups: ['clerks'], enabled: !isChanged }],
    virtualFileSystems: [{ name: vfs, folders: ['/inbox', '/outbox'], retention: { hoursAfterPut: 720 } }],
    connectionContracts: [{ name: 'sftp', cluster: 'cluster1', server: 'sftp-server', clauses: [{ user: name, vfs }] }],
    contracts: [
      {
        name: `${name}-in`,
        type: 'Input',
        actions: [{ name: 'arrived', trigger: { type: 'NewFile', vfs, virtualPath: '/inbox' }, workflow: 'note' }],
      },
    ],
  };
}

/** A line with an Ed25519 key whose private part does not exist. */
function keyOf(name: string): string {
  const kind = Buffer.from('ssh-ed25519');
  const point = Buffer.alloc(32, name);
  const blob = Buffer.concat([lengthOf(kind), kind, lengthOf(point), point]);
  return `ssh-ed25519 ${blob.toString('base64')} ${name}`;
}

function lengthOf(part: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return length;
}
