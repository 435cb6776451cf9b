/** A syslog message as RFC 5424 has it. */
export interface SyslogMessage {
  readonly facility: number;
  readonly severity: number;
  readonly timestamp: string;
  readonly hostName: string;
  readonly appName: string;
  readonly procId: string;
  readonly msgId: string;
  readonly data: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly text: string;
}

const name = (most: number) => `-|[\\u0021-\\u007e]{1,${most}}`;
const time = String.raw`-|\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)`;
const id = String.raw`[!#-<>-\\^-~]{1,32}`;
const parameter = String.raw`${id}="(?:[^"\\\]]|\\["\\\]])*"`;
const element = String.raw`\[${id}(?: ${parameter})*\]`;
const whole = new RegExp(
  `^<(0|[1-9]\\d{0,2})>1 (${time}) (${name(255)}) (${name(48)}) (${name(128)}) (${name(32)}) (-|(?:${element})+)(?: (.*))?$`,
  'su',
);

/** Parses by the grammar of RFC 5424, section 6, and nothing else. @throws Error */
export function parseSyslog(bytes: Buffer): SyslogMessage {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  const match = whole.exec(text);
  if (!match || Number(match[1]) > 191) throw new Error(`not RFC 5424: ${text.slice(0, 200)}`);
  const [, priority, timestamp = '', hostName = '', appName = '', procId = '', msgId = '', data = '', message = ''] =
    match;
  return {
    facility: Math.floor(Number(priority) / 8),
    severity: Number(priority) % 8,
    timestamp,
    hostName,
    appName,
    procId,
    msgId,
    data: Object.fromEntries([...data.matchAll(new RegExp(element, 'gu'))].map(([part]) => elementOf(part))),
    text: message,
  };
}

function elementOf(part: string): [string, Record<string, string>] {
  const parameters = [...part.matchAll(new RegExp(`(${id})="((?:[^"\\\\\\]]|\\\\["\\\\\\]])*)"`, 'gu'))];
  const values = parameters.map(([, key = '', value = '']): [string, string] => [
    key,
    value.replaceAll(/\\(["\\\]])/gu, '$1'),
  ]);
  return [new RegExp(`^\\[(${id})`, 'u').exec(part)?.[1] ?? '', Object.fromEntries(values)];
}

/** Splits a stream with octet counting (RFC 6587, section 3.4.1). Returns the messages and the incomplete rest. @throws Error */
export function splitFrames(bytes: Buffer): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const [head, digits] = /^([1-9]\d{0,6})? ?/u.exec(rest.subarray(0, 8).toString('latin1')) ?? [];
    if (head === undefined || digits === undefined) throw new Error('a frame has no length');
    if (!head.endsWith(' ')) break;
    const end = head.length + Number(digits);
    if (rest.length < end) break;
    messages.push(rest.subarray(head.length, end));
    rest = rest.subarray(end);
  }
  return { messages, rest };
}
