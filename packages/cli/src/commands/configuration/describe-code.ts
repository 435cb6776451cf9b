/**
 * The code with which a manager user sets a first password, as lines of text. It is printed only when it is created, because only
 * its hash is stored. ADDRESS is a placeholder for the address of the administrators' interface,
 * which the configuration does not contain.
 */
export function describeCode(given: {
  readonly userName: string;
  readonly code: string;
  readonly hours: number;
}): string[] {
  const { userName, code, hours } = given;
  const user = /^[\w.@-]+$/u.test(userName) ? userName : `'${userName.replaceAll("'", "'\\''")}'`;
  return [
    `! ${userName} has no password. This command asks for one and sets it, once and for ${hours} hours; earlier codes no longer work:`,
    `    waybill login --url https://ADDRESS --user ${user} --code ${code}`,
  ];
}
