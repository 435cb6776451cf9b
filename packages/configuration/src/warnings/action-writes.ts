import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { type FileTrigger, isFileTrigger } from '@waybill/contracts/configuration/workflow-configuration';
import { parseReferencePath } from '@waybill/workflow/expressions/reference-path';
import { splitTemplate, type TemplatePart } from '@waybill/workflow/expressions/template-text';

type Configuration = PlatformConfiguration;
/** An action of a contract. */
export type Action = Configuration['actors'][number]['contracts'][number]['actions'][number];
type Workflow = Configuration['workflowTemplates'][number];

/** The parameter that names the file that a task writes. */
const written = {
  gzip: 'target',
  checksum: undefined,
  'write-file': 'path',
  copy: 'target',
  move: 'target',
  rename: undefined,
  delete: undefined,
  'make-folder': undefined,
  list: undefined,
  exists: undefined,
  deliver: undefined,
  'set-metadata': undefined,
  merge: 'target',
  'split-lines': undefined,
  'read-text': undefined,
  gunzip: 'target',
  unzip: undefined,
  zip: 'target',
  tar: 'target',
  untar: undefined,
  'convert-charset': 'target',
  'line-ends': 'target',
  'csv-validate': 'report',
  'csv-to-json': 'target',
  'xml-validate': 'report',
  'sftp-push': undefined,
  'sftp-pull': undefined,
  'ftps-push': undefined,
  'ftps-pull': undefined,
  's3-push': undefined,
  's3-pull': undefined,
  'http-request': 'target',
  webhook: undefined,
  'send-email': undefined,
  'virus-scan': undefined,
  'run-command': 'output',
  'pgp-encrypt': 'target',
  'pgp-decrypt': 'target',
  'pgp-sign': 'target',
  'pgp-verify': 'target',
  log: undefined,
  'raise-error': undefined,
  'submit-job': undefined,
  wait: undefined,
  'wait-until': undefined,
  'wait-for-file': undefined,
  'wait-for-approval': undefined,
  workflow: undefined,
} as const satisfies Record<Workflow['steps'][number]['uses'], string | undefined>;

/** Patterns of the paths that an action writes; `*` stands for values that are unknown before the job runs. */
export function writtenPaths(
  { trigger, variables }: Action,
  { steps, onError = [], finally: last = [] }: Workflow,
): string[] {
  if (!isFileTrigger(trigger)) return [];
  return [...steps, ...onError, ...last].flatMap((step) => {
    const parameter = written[step.uses];
    const template = parameter === undefined ? undefined : step.with[parameter];
    if (typeof template !== 'string') return [];
    const path = partsOf(template).map((part) =>
      part.kind === 'text' ? part.text : patternOf(parseReferencePath(part.source) ?? [], trigger, variables),
    );
    // Neighbouring values that are unknown are one: `**` stands for any number of folders.
    return [
      path
        .join('')
        .replaceAll(/(?:\0)+/gu, '*')
        .replaceAll(/\/+/gu, '/'),
    ];
  });
}

/** The files that start an action, as a pattern of paths. */
export function watchedPaths({ virtualPath, filePattern }: FileTrigger): string {
  return `${virtualPath === '/' ? '' : virtualPath}/${oneStar(filePattern)}`;
}

/** In the name of a file, several stars match what one does. */
function oneStar(filePattern: string): string {
  return filePattern.replaceAll(/\*+/gu, '*');
}

function partsOf(template: string): TemplatePart[] {
  try {
    return splitTemplate(template);
  } catch {
    return [];
  }
}

/** Stands for a value that is not known before the job runs. */
const unknown = '\0';

function patternOf(names: readonly string[], trigger: FileTrigger, variables: Action['variables']): string {
  const [first, second = ''] = names;
  if (names.length !== 2) return unknown;
  if (first === 'variables' || first === 'inputs') return variables[second] ?? unknown;
  if (first !== 'file') return unknown;
  const filePattern = oneStar(trigger.filePattern);
  const dot = filePattern.lastIndexOf('.');
  const hasKnownExtension = dot > 0 && dot > filePattern.lastIndexOf('*');
  const byName: Readonly<Record<string, string>> = {
    path: watchedPaths(trigger),
    name: filePattern,
    folder: trigger.virtualPath,
    stem: hasKnownExtension
      ? filePattern.slice(0, dot)
      : filePattern.slice(0, filePattern.lastIndexOf('*') + 1) || filePattern,
    extension: hasKnownExtension ? filePattern.slice(dot) : unknown,
  };
  return byName[second] ?? unknown;
}
