import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const demoFile = fileURLToPath(new URL('../../../deploy/demo/platform.yaml', import.meta.url));

/** What the table of audited operations needs beside the demo. */
const additions: readonly (readonly [place: string, text: string])[] = [
  // A VFS that can have one file and one folder.
  ['{ name: globex-files, folders: [/data]', ', limits: { files: 1, folders: 1 }'],
  // A partner who may add SSH keys.
  ['  name: manager1\n', '\naccountPolicies:\n  - { name: own-keys, sshKeys: { allowed: true } }\n'],
  [
    'actors:\n',
    `  - name: umbrella
    type: Partner
    accountPolicy: own-keys
    users:
      - { name: tom, password: 'umbrella-demo' }
    virtualFileSystems:
      - { name: umbrella-files, folders: [/inbox] }
    connectionContracts:
      - name: umbrella-http
        cluster: cluster1
        server: http-server
        clauses: [{ user: tom, vfs: umbrella-files }]
`,
  ],
  // A user who has no password yet, and one who is deleted.
  [
    'managerUsers:\n',
    '  - { name: fresh, roles: [Users] }\n  - { name: leaver, password: password-of-leaver, roles: [Users] }\n',
  ],
  [
    'workflowTemplates:\n',
    `  - name: ask
    steps:
      - name: decision
        uses: wait-for-approval
        with: { message: 'Go on?', approvers: [admin] }
`,
  ],
  [
    '        actions:\n',
    `          - name: ask
            trigger: { type: OnDemand }
            vfs: acme-files
            workflow: ask
          - name: broken
            trigger: { type: OnDemand }
            vfs: acme-files
            workflow: write-report
            variables: { folder: /nowhere }
`,
  ],
];

/** The demo with these additions. */
export async function auditedConfiguration(): Promise<string> {
  return additions.reduce((text, [place, added]) => insert(text, place, added), await readFile(demoFile, 'utf8'));
}

/** The same with a change of each kind. */
export async function changedConfiguration(): Promise<string> {
  const configuration = await auditedConfiguration();
  const changed = configuration
    .replace(/ {2}- \{ name: leaver.*\n/u, '')
    .replace(
      / {2}- \{ name: viewer.*\n/u,
      "  - { name: viewer, password: 'another-password-of-viewer', roles: [Auditors] }\n",
    );
  return insert(
    changed,
    '    virtualFileSystems:\n',
    '      - { name: globex-archive }\n',
    '      - { name: globex-files',
  );
}

/** Adds text after the place, which must be there. */
function insert(text: string, place: string, added: string, before = ''): string {
  const parts = text.split(`${place}${before}`);
  if (parts.length < 2) throw new Error(`the demo has no ${place}`);
  const [first = '', ...others] = parts;
  return `${first}${place}${added}${before}${others.join(`${place}${before}`)}`;
}
