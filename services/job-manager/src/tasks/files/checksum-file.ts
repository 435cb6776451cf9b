import { CodedError } from '@waybill/contracts/errors/coded-error';

/** `<checksum>  <name>` or `<checksum> *<name>`, as coreutils write it, or the checksum alone. */
const plainLine = /^\\?(?<checksum>[\da-f]{8,128})(?:[ \t]+\*?(?<name>.+))?$/iu;
/** `SHA256 (<name>) = <checksum>`, as BSD writes it. */
const taggedLine = /^[\w-]+ \((?<name>.+)\) = (?<checksum>[\da-f]{8,128})$/iu;

/**
 * The checksum of a file in a text with checksums: that of the line with its name, or the only one, whatever name it has. In
 * lower case. @throws CodedError `checksum_mismatch` if there is none
 */
export function checksumIn(text: string, { name, place }: { name: string; place: string }): string {
  const lines = text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (taggedLine.exec(line) ?? plainLine.exec(line))?.groups);
  const named = lines.find((line) => line?.['name'] !== undefined && lastName(line['name']) === name);
  const chosen = named ?? (lines.length === 1 ? lines[0] : undefined);
  if (chosen?.['checksum'] !== undefined) return chosen['checksum'].toLowerCase();
  throw new CodedError('checksum_mismatch', { detail: `${place} has no checksum of ${name}` });
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
