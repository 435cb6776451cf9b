/** A second factor, as its user sees it. */
export interface SecondFactorView {
  /** Whether the user can have one. */
  readonly available: boolean;
  readonly active: boolean;
  readonly required: boolean;
  readonly since: string | null;
  readonly recoveryCodesLeft: number;
}

/** What each change proves; `code` where there is a second factor. */
export interface Proof {
  readonly username: string;
  readonly password: string;
  readonly code: string;
}

/** The secret of an authenticator app. */
export interface Enrolment {
  readonly secret: string;
  readonly uri: string;
}

/** The interface behind the pages of second factors. Every method throws Error with a sentence for people. */
export interface SecondFactorApi {
  /** Whether setting one up ends all sessions of the user. */
  readonly endsSessions: boolean;
  find(signal: AbortSignal): Promise<SecondFactorView>;
  begin(proof: Omit<Proof, 'code'>): Promise<Enrolment>;
  /** Returns the recovery codes. */
  confirm(proof: Proof): Promise<readonly string[]>;
  renewRecoveryCodes(proof: Proof): Promise<readonly string[]>;
  remove(proof: Proof): Promise<void>;
}
