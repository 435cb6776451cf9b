import type { Warning } from '@waybill/configuration/document/warning';
import { nearestName } from '@waybill/contracts/errors/nearest-name';
import { fileVariableOf, type Environment } from '@waybill/service-kit/config/secret-source';

/** A reference of the configuration to a variable of the environment. */
export interface Reference {
  readonly place: string;
  readonly variable: string;
  /** False if the default of the reference is in force. */
  readonly isGiven: boolean;
}

/**
 * Variables that are set but not used, with names similar to a missing variable: probably typing errors. Other unused
 * variables are ignored, because an environment has many variables of other programs.
 */
export function findMisnamedVariables(references: readonly Reference[], env: Environment): Warning[] {
  const referred = new Set(references.map(({ variable }) => variable));
  const unused = Object.keys(env)
    .map((name) => ({ name, stem: name.replace(/_FILE$/u, '') }))
    .filter(({ name, stem }) => env[name] !== '' && !referred.has(name) && !referred.has(stem));
  return references
    .filter(({ isGiven }) => !isGiven)
    .flatMap(({ place, variable }) => {
      const candidates = unused.filter(({ stem }) => isSimilar(stem, variable));
      const nearest = nearestName(
        variable,
        candidates.map(({ stem }) => stem),
      );
      const found = candidates.find(({ stem }) => stem === nearest);
      if (found === undefined) return [];
      const right = found.name === found.stem ? variable : fileVariableOf(variable);
      return [
        {
          place,
          message: `${found.name} is set but not used, and ${variable} has its default; did you mean ${right}?`,
        },
      ];
    });
}

/** The same before the first underscore, or after it: `ACME_PASWORD` and `AMCE_PASSWORD` for `ACME_PASSWORD`. */
function isSimilar(one: string, other: string): boolean {
  const [[head, ...tail], [otherHead, ...otherTail]] = [one.split('_'), other.split('_')];
  return head === otherHead || (tail.length > 0 && tail.join('_') === otherTail.join('_'));
}
