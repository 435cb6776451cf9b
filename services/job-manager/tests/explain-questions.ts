import { expect } from 'vitest';
import type { oneJobManager } from './test-managers.ts';

const question = { user: 'acme', protocol: 'SFTP', operation: 'download', path: '/outbox/x' };

interface Explained {
  allowed: boolean;
  server?: string;
  rules: { rule: string; name: string; allows: boolean; why: string }[];
}

/** Asks a job manager to explain access: the same question each time, but for what is different. */
export function questionsTo(site: ReturnType<typeof oneJobManager>) {
  const ask = (json: unknown, bearer = site.manager.admin) =>
    site.manager.client.post('/platform-application/api/v1/access/explain', { json, bearer });

  async function explain(different: object): Promise<Explained> {
    const { status, text, json } = await ask({ ...question, ...different });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return json() as Explained;
  }

  /** The rules that refuse, or nothing if the operation is allowed. */
  async function refusals(different: object): Promise<string[]> {
    const { allowed, rules } = await explain(different);
    const refusing = rules.filter(({ allows }) => !allows).map(({ rule, why }) => `${rule}: ${why}`);
    expect([allowed, rules.at(-1)?.allows]).toEqual(refusing.length === 0 ? [true, true] : [false, false]);
    return refusing;
  }

  return { question, ask, explain, refusals };
}
