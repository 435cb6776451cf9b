/**
 * A date in one of its three forms (RFC 9110 section 5.6.7), of which that of `asctime` has no zone; undefined
 * otherwise.
 */
export function httpDateOf(header: string | undefined): Date | undefined {
  if (header === undefined) return undefined;
  const isAsctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/u.test(header);
  if (!isAsctime && !/^[A-Z][a-z]+, .* GMT$/u.test(header)) return undefined;
  const date = new Date(isAsctime ? `${header} GMT` : header);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
