import { firstPasswordCommand } from '@waybill/contracts/endpoints/access/first-password-command';
import { printable } from '../../platform/render-table.ts';

/**
 * The code with which a manager user sets a first password, as lines of text. It is printed only when it is created, because only
 * its hash is stored. `url` is the address of the administrators' interface; the configuration does not contain it, and where it is
 * unknown or empty ADDRESS is a placeholder for it.
 */
export function describeCode(
  { userName, code, hours }: { readonly userName: string; readonly code: string; readonly hours: number },
  url: string | undefined,
): string[] {
  const address = url === undefined || url === '' ? 'https://ADDRESS' : url;
  return [
    `! ${userName} has no password. This command asks for one and sets it, once and for ${hours} hours; earlier codes no longer work:`,
    `    ${printable(firstPasswordCommand({ userName, code }, address))}`,
  ];
}
