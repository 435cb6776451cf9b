import { ExitCode, exitCodes } from '../command.ts';

/** The end of a step or of an item, as a dry run shows it. */
interface DryEnd {
  readonly status: 'COMPLETED' | 'FAILED' | 'SKIPPED' | 'WAITING';
  readonly error: string;
  readonly with?: Readonly<Record<string, unknown>> | undefined;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** What a dry run shows: one of this program, or of a platform. */
export interface ShownDryRun {
  readonly status: string;
  readonly message: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly steps: readonly (DryEnd & {
    readonly name: string;
    readonly task: string;
    readonly section: string;
    /** The steps whose real outputs would decide differently, perhaps. */
    readonly dependsOn?: readonly string[] | undefined;
    readonly items?: readonly (DryEnd & { readonly index: number })[] | undefined;
  })[];
}

/** What a workflow would do, in lines. */
export function describeDryRun({ status, message, steps, outputs }: ShownDryRun): string[] {
  return [
    ...steps.flatMap(describeStep),
    `${status}${message === '' ? '' : `: ${message}`}`,
    ...Object.entries(outputs).map(([name, value]) => `  -> ${name}: ${JSON.stringify(value)}`),
  ];
}

/** A job that ends in ERROR fails the command, as one that is watched does. @throws ExitCode */
export function failUnlessCompleted({ status }: Pick<ShownDryRun, 'status'>): void {
  if (status !== 'COMPLETED') throw new ExitCode(exitCodes.failed);
}

const signs = { COMPLETED: '+', FAILED: '!', SKIPPED: '-', WAITING: ' ' } as const;
const words = {
  COMPLETED: 'runs',
  FAILED: 'fails',
  SKIPPED: 'is skipped',
  WAITING: 'does not run',
} as const;

function describeStep(step: ShownDryRun['steps'][number]): string[] {
  const { name, task, section, items = [], dependsOn } = step;
  const where = section === 'steps' ? '' : `${section}: `;
  return [
    describeEnd(step, `${where}${name} (${task})`),
    ...(dependsOn ? [`    ? depends on what is known only in a real run: outputs of ${dependsOn.join(', ')}`] : []),
    ...valuesOf(step, '    '),
    ...items.flatMap((item) => [`  ${describeEnd(item, `${name}[${item.index}]`)}`, ...valuesOf(item, '      ')]),
  ];
}

function describeEnd({ status, error }: DryEnd, title: string): string {
  return `${signs[status]} ${title} ${words[status]}${error === '' ? '' : `: ${error}`}`;
}

function valuesOf({ with: parameters = {}, outputs }: DryEnd, indent: string): string[] {
  const lines = (title: string, values: Readonly<Record<string, unknown>>): string[] =>
    Object.entries(values).map(([key, value]) => `${indent}${title}${key}: ${JSON.stringify(value)}`);
  return [...lines('', parameters), ...lines('-> ', outputs)];
}
