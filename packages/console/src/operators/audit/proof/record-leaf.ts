import { canonicalJson, type Json, type JsonObject, membersOf } from './canonical-json.ts';
import { bytesOf, hexOf, sha256 } from './hashes.ts';

/** Fields that can contain personal data. */
const personal = ['auditMessage', 'dataoneUser', 'entityId', 'entityName'];
const beside = new Set([...personal, 'commitments', 'context', 'hash', 'salt']);

/** The leaf of a record of an export, as docs/audit-log.md has it: salted commitments in place of personal values. */
export async function leafOf(record: JsonObject): Promise<string> {
  const entries = Object.entries(record);
  const shown = Object.fromEntries(entries.filter(([name]) => !beside.has(name)));
  const hidden = entries.filter(([name]) => personal.includes(name));
  const commitments = new Map(membersOf(record['commitments']));
  if (record['version'] === 1) return formerLeaf(shown, hidden, record);
  const values = [...hidden, ...membersOf(record['context'])];
  const names = values.map(([name]) => name).toSorted();
  const salts = typeof record['salt'] === 'string' ? record['salt'] : '';
  for (const [name, value] of values) {
    const place = 32 * names.indexOf(name);
    const salt = salts.slice(place, place + 32);
    // A value beside its commitment, or a second one of the same name, would not be verified.
    commitments.set(name, commitments.has(name) ? '' : await hashOf({ name, salt, value }));
  }
  return canonicalJson({ ...shown, commitments: Object.fromEntries(commitments) });
}

/** The leaf of a record of a former hash chain. */
async function formerLeaf(shown: JsonObject, hidden: [string, Json][], record: JsonObject): Promise<string> {
  const { salt = null, context } = record;
  const erased = membersOf(record['commitments']).find(([name]) => name === 'personalHash')?.[1] ?? null;
  const personalHash = hidden.length > 0 ? await hashOf({ ...Object.fromEntries(hidden), salt }) : erased;
  return canonicalJson({ ...shown, ...(context !== undefined && { context }), personalHash });
}

async function hashOf(value: Json): Promise<string> {
  return hexOf(await sha256(bytesOf(canonicalJson(value))));
}
