import { soundTextSchema } from '@waybill/contracts/values/sound-text';
import { type Invocation, UsageError } from '../command.ts';

/** An option with text; `value` is the word for it in the help. */
export function textOption<const V extends string>(value: V, explanation: string) {
  return { value, explanation } as const;
}

/** An option with text that a command cannot do without. */
export function neededOption(value: string, explanation: string) {
  return { ...textOption(value, explanation), isRequired: true } as const;
}

/** An option with one of these values. */
export function choiceOption(value: string, choices: readonly string[], explanation: string) {
  return { ...textOption(value, explanation), choices } as const;
}

/** An option without a value. */
export function flagOption(explanation: string) {
  return { explanation } as const;
}

/** The option of commands whose output scripts can read. */
export const jsonOption = flagOption('Prints JSON, one text a line, for scripts.');

/** The values of options with text, by name; absent ones are left out. */
export function givenTexts<const K extends string>(
  values: Invocation['values'],
  names: readonly K[],
): { [N in K]?: string } {
  const given: { [N in K]?: string } = {};
  for (const name of names) {
    const value = values[name];
    if (typeof value === 'string') given[name] = value;
  }
  return given;
}

/** The parts of a value such as `a, b`, if the option is given. */
export function listOf(values: Invocation['values'], name: string): string[] | undefined {
  const value = values[name];
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : undefined;
}

/** The value of an option with these choices, if it is given. */
export function choiceOf<const C extends string>(
  values: Invocation['values'],
  name: string,
  choices: readonly C[],
): C | undefined {
  return choices.find((choice) => choice === values[name]);
}

/** A whole number from 1. @throws UsageError for anything else */
export function countOf(values: Invocation['values'], name: string): number {
  const value = values[name];
  if (typeof value === 'string' && /^[1-9]\d{0,8}$/u.test(value)) return Number(value);
  throw new UsageError(`--${name} is a whole number from 1`);
}

/** The number of a job. @throws UsageError for anything else */
export function jobNumber(text: string | undefined): number {
  if (text !== undefined && /^[1-9]\d{0,14}$/u.test(text)) return Number(text);
  throw new UsageError(`${text ?? ''} is not the number of a job`);
}

/** The number in a list of the platform. @throws UsageError for anything else: `x is not the number of an API key` */
export function rowNumber(text: string | undefined, title: string): string {
  if (text !== undefined && /^[1-9]\d{0,14}$/u.test(text)) return text;
  throw new UsageError(`${text ?? ''} is not the number of ${title}`);
}

const reasonSchema = soundTextSchema.trim().min(1).max(500);

/** The reason for a change, which is audited. @throws UsageError without one */
export function recordedReason({ values }: Pick<Invocation, 'values'>): string {
  const reason = reasonSchema.safeParse(values['reason']);
  if (!reason.success) throw new UsageError('give --reason <text>, of 500 characters at most: it is recorded');
  return reason.data;
}
