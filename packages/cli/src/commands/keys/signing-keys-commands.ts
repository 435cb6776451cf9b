import { readKeyStore } from '@waybill/signing-keys/load-key-set';
import { activateKey, addKey, publicationMs, removeKey } from '@waybill/signing-keys/rotate-keys';
import type { Command } from '../../command.ts';
import { flagOption } from '../../platform/option-values.ts';
import { changeKey } from '../../record-key-change.ts';

/** The services that have the stores take long to load: other commands do without them. */
const loadStores = async () => await import('../../platform-key-stores.ts');

/** Shows the keys in the key files of the services. */
export const listSigningKeysCommand: Command = {
  summary: 'Shows the keys that sign tokens, receipts, the audit log and SSH key exchanges.',
  examples: ['waybill signing-keys list'],
  run: async ({ env, out }) => {
    const { platformKeyStores } = await loadStores();
    for (const store of platformKeyStores(env)) {
      const { active, next, previous } = await readKeyStore(store);
      if (!active) out(`${store.purpose}  (no key yet: the service generates it when it starts)`);
      const roles = [['active', active], ['next', next], ...previous.map((key) => ['previous', key] as const)] as const;
      for (const [role, stored] of roles) {
        if (stored) out([store.purpose, role.padEnd(8), stored.key.kid, stored.file].join('  '));
      }
    }
  },
};

/** The first step of a rotation. */
export const addSigningKeyCommand: Command = {
  summary: 'Generates the next key. It is published and accepted, but does not sign yet.',
  examples: ['waybill signing-keys add tokens'],
  arguments: { purpose: 'What the key is for, such as tokens or receipts.' },
  run: async (invocation) => {
    const {
      env,
      out,
      positionals: [purpose = ''],
    } = invocation;
    const { platformKeyStore } = await loadStores();
    const store = platformKeyStore(env, purpose);
    const kid = await changeKey(invocation, { fact: 'entityCreated', purpose }, async () => (await addKey(store)).kid);
    out(`${purpose}: ${kid} is the next key. Services read it within KEY_RELOAD_SECONDS.`);
    out(
      purpose.startsWith('host-')
        ? `Activate it when clients have learned it: waybill signing-keys activate ${purpose}`
        : `Activate it in ${publicationMs / 60_000} minutes or later: waybill signing-keys activate ${purpose}`,
    );
  },
};

/** The second step. */
export const activateSigningKeyCommand: Command = {
  summary:
    'Activates the next key, which signs from now on. The active key becomes a previous key, which is still accepted.',
  examples: ['waybill signing-keys activate tokens'],
  arguments: { purpose: 'What the key is for, such as tokens or receipts.' },
  options: { now: flagOption('Does not wait until the step is safe.') },
  run: async (invocation) => {
    const {
      env,
      out,
      positionals: [purpose = ''],
      values,
    } = invocation;
    const { platformKeyStore } = await loadStores();
    const store = platformKeyStore(env, purpose);
    const leastAgeMs = values['now'] ? 0 : publicationMs;
    const activate = async () => (await activateKey(store, { leastAgeMs })).kid;
    const kid = await changeKey(invocation, { fact: 'entityModified', purpose }, activate);
    out(`${purpose}: ${kid} is the active key. The previous one is accepted until it is removed.`);
  },
};

/** The last step, or the end of an abandoned rotation. A key id may begin with dashes. */
export const removeSigningKeyCommand: Command = {
  summary: 'Removes a previous or next key: its signatures are refused from then on.',
  examples: ['waybill signing-keys remove tokens 3q2-7wXJ'],
  arguments: { purpose: 'What the key is for, such as tokens or receipts.', kid: 'The id of the key.' },
  takesDashes: true,
  options: { now: flagOption('Does not wait until the step is safe.') },
  run: async (invocation) => {
    const {
      env,
      out,
      positionals: [purpose = '', kid = ''],
      values,
    } = invocation;
    const { platformKeyStore, useAfterRotationMs } = await loadStores();
    const store = platformKeyStore(env, purpose);
    const leastAgeMs = values['now'] ? 0 : useAfterRotationMs(env, purpose);
    await changeKey(invocation, { fact: 'entityDeleted', purpose }, async () => {
      await removeKey(store, kid, { leastAgeMs });
      return kid;
    });
    out(`${purpose}: ${kid} is removed.`);
  },
};
