/** Whom an issuer has identified: what a verified ID token says. */
export interface OutsideIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** What is remembered between the begin of a login in a browser and its end. */
export interface BrowserLogin {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** A login on another device (RFC 8628 section 3.2). */
export interface DeviceLogin {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete?: string | undefined;
  /** Seconds. */
  readonly expiresIn: number;
  readonly interval: number;
}

/** An outside issuer of OpenID Connect. Every method throws CodedError `service_unavailable` if it cannot be reached. */
export interface OidcIssuer {
  /** Begins a login in a browser, which is sent to `address`. `mark` begins the state. */
  begin(mark: string): Promise<{ readonly login: BrowserLogin; readonly address: string }>;
  /** Ends it, with the query of the callback. @throws CodedError `oidc_login_refused` */
  finish(query: string, login: BrowserLogin): Promise<OutsideIdentity>;
  /** @throws CodedError `oidc_login_refused` if the issuer offers no such logins */
  beginOnDevice(): Promise<DeviceLogin>;
  /** Asks once. `pending`: the user has not decided yet. @throws CodedError `oidc_login_refused` */
  finishOnDevice(deviceCode: string): Promise<OutsideIdentity | 'pending' | 'slow_down'>;
}
