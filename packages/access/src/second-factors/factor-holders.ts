/** Whose second factors: those of manager users, or of the users of partners. A name can be one of each. */
export type FactorHolders = 'managers' | 'partners';

/** Where second factors and the hashes of their recovery codes are. */
export const factorTables = {
  managers: { factors: 'access.second_factors', codes: 'access.recovery_codes' },
  partners: { factors: 'access.partner_second_factors', codes: 'access.partner_recovery_codes' },
} as const satisfies Record<FactorHolders, { readonly factors: string; readonly codes: string }>;

/** The tables of the second factors of some users. */
export type FactorTables = (typeof factorTables)[FactorHolders];
