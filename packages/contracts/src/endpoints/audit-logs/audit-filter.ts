import { z } from 'zod';
import { userNameSchema, type UserName } from '../../values/user-name.ts';
import { type AuditExactField, auditExactFields } from './audit-fields.ts';
import { parseFilterExpression, type FilterCondition } from './audit-filter-expression.ts';

const timeFields = ['auditTime', 'fromAuditTime', 'toAuditTime'] as const;

/** A field whose beginning can be searched for. */
export type AuditPrefixField = Exclude<AuditExactField, 'id' | 'correlationId'>;

type AuditTextField = Exclude<AuditExactField, 'dataoneUser'>;

/** Values that are matched exactly. The user is in NFC, as in the records; `''` finds records that name no user. */
export type AuditExactValues = Readonly<Partial<Record<AuditTextField, string>>> & {
  readonly dataoneUser?: UserName | '';
};

/** A field with a time: `auditTime` is compared exactly, the others are its inclusive bounds. */
export type AuditTimeField = (typeof timeFields)[number];

/** The conditions on the requested records; absent fields are no condition. */
export interface AuditFilter {
  readonly exact: AuditExactValues;
  /** The beginnings of fields. */
  readonly prefixes: Readonly<Partial<Record<AuditPrefixField, string>>>;
  readonly times: Readonly<Partial<Record<AuditTimeField, Date>>>;
}

/** A literal `+` in a URL query means a space. A time contains no spaces, so a space in its offset is read as `+`. */
const timeSchema = z
  .string()
  .transform((text) => text.replaceAll(' ', '+'))
  .pipe(z.iso.datetime({ offset: true }));

const dataoneUserSchema = z.union([z.literal(''), userNameSchema]);

/** Parses `q` of the audit log query; errors are reported for `q` or `q.<field>`. */
export const auditFilterSchema = z.string().transform((text, context): AuditFilter => {
  const expression = parseFilterExpression(text);
  if ('syntaxError' in expression) {
    const message = `${expression.syntaxError} at position ${expression.position}; the shape is {field="value"}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  const exact: { -readonly [F in keyof AuditExactValues]: AuditExactValues[F] } = {};
  const prefixes: Partial<Record<AuditPrefixField, string>> = {};
  const times: Partial<Record<AuditTimeField, Date>> = {};
  const seen = new Set<string>();
  for (const condition of expression.conditions) {
    const { field, value, isPrefix } = condition;
    const message = seen.has(field) ? 'is given twice' : complaintAbout(condition);
    seen.add(field);
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: [field] });
    else if (isPrefix && isPrefixField(field))
      prefixes[field] = field === 'fileHash' ? storedForm(field, value) : value.normalize('NFC');
    else if (isTimeField(field)) times[field] = new Date(timeSchema.parse(value));
    else if (field === 'dataoneUser') exact[field] = dataoneUserSchema.parse(value);
    else if (isTextField(field)) exact[field] = storedForm(field, value);
  }
  return { exact, prefixes, times };
});

function complaintAbout({ field, value, isPrefix }: FilterCondition): string | undefined {
  if (isPrefix && isKnown(field) && !isPrefixField(field)) return 'cannot be searched for by its beginning';
  if (isTimeField(field)) {
    return timeSchema.safeParse(value).success ? undefined : 'must be an ISO 8601 date and time with an offset';
  }
  if (!isExactField(field)) return `is not one of ${[...auditExactFields, ...timeFields].join(', ')}`;
  if (value.includes('\0')) return 'must not hold a NUL character';
  return field === 'dataoneUser' && !isPrefix && !dataoneUserSchema.safeParse(value).success
    ? 'cannot be a user name'
    : undefined;
}

/** Names of users and files are stored in NFC, hashes with lower-case digits. */
function storedForm(field: AuditTextField, value: string): string {
  if (field === 'fileHash') return value.toLowerCase();
  return ['entityName', 'entityId', 'fileName', 'filePath'].includes(field) ? value.normalize('NFC') : value;
}

function isKnown(field: string): boolean {
  return isExactField(field) || isTimeField(field);
}

function isPrefixField(field: string): field is AuditPrefixField {
  return isExactField(field) && field !== 'id' && field !== 'correlationId';
}

function isTextField(field: string): field is AuditTextField {
  return isExactField(field) && field !== 'dataoneUser';
}

function isExactField(field: string): field is AuditExactField {
  return (auditExactFields as readonly string[]).includes(field);
}

function isTimeField(field: string): field is AuditTimeField {
  return (timeFields as readonly string[]).includes(field);
}
