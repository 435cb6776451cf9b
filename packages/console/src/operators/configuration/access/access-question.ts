import { explainAccessEndpoint } from '@waybill/contracts/endpoints/administration/explain-access';

/** What is typed of a question, and why it cannot be asked yet. */
const checked = ['user', 'path', 'address', 'cluster', 'server'] as const;

/** The fields of a question, which is being typed, that the interface would refuse. What is empty is not wrong yet. */
export function wrongFieldsOf(
  question: Readonly<Record<string, string | undefined>>,
): readonly (typeof checked)[number][] {
  const { error } = explainAccessEndpoint.body.schema.safeParse(question);
  const wrong = new Set(error?.issues.map(({ path: [name] }) => name));
  return checked.filter((name) => wrong.has(name) && question[name] !== '');
}
