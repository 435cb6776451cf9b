/**
 * The code with which a manager user sets a first password, as lines of text. It is printed only when a configuration is
 * applied, because only its hash is stored. ADDRESS is a placeholder for the address of the administrators' interface,
 * which the configuration does not contain.
 */
export function describeCode(given: {
  readonly userName: string;
  readonly code: string;
  readonly hours: number;
}): string[] {
  const { userName, code, hours } = given;
  const body = JSON.stringify({ username: userName, code, newPassword: 'at least 12 characters' }).replaceAll(
    "'",
    "'\\''",
  );
  return [
    `! ${userName} has no password. This command sets it, once and for ${hours} hours; earlier codes no longer work:`,
    `    curl -i https://ADDRESS/platform-application/api/v1/auth/first-password -H 'Content-Type: application/json' -d '${body}'`,
  ];
}
