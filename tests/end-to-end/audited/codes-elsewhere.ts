/** Where a code is produced instead of in the table, and why. */
interface Elsewhere {
  readonly test: string;
  readonly reason: string;
}

const minute = 'a summary is written after a minute';
const restart = 'the settings of a service change at its next start';
const schedule = 'a file is due at a set time';
const source = 'it needs a source of its own beside that of the platform';
const app = 'it needs the codes of an authenticator app';
const failure = 'a part outside of the platform fails, and works again';

/** Codes that no row of the table produces: the test of each, and the reason. */
export const codesElsewhere: Readonly<Record<string, Elsewhere>> = {
  AUD0016A: { test: 'packages/outbox/src/refusals/refusal-book.test.ts', reason: minute },
  AUD0017A: {
    test: 'services/job-manager/tests/password-policy.test.ts',
    reason: 'the configuration must require a change',
  },
  AUD0019A: {
    test: 'services/job-manager/tests/first-password-codes.test.ts',
    reason: 'it needs a user without a password',
  },
  AUD0029A: { test: 'services/job-manager/tests/job-retention.test.ts', reason: 'jobs are kept for days' },
  AUD0039A: { test: 'services/sftp-gateway/tests/legacy-algorithms.test.ts', reason: 'it needs an old client' },
  AUD0044A: { test: 'packages/filebox/tests/expiry.test.ts', reason: 'files are kept for a day or more' },
  AUD0046A: { test: 'services/http-files/tests/session-ends.test.ts', reason: 'a session ends after it was idle' },
  AUD0057A: { test: 'tests/end-to-end/own-account.test.ts', reason: 'the account policy must allow such keys' },
  AUD0058A: { test: 'services/sftp-gateway/tests/administered-uploads.test.ts', reason: 'an upload is interrupted' },
  AUD0059A: { test: 'services/http-files/tests/running-transfers.test.ts', reason: 'a transfer runs for seconds' },
  AUD0067A: { test: 'packages/outbox/src/refusals/refusal-book.test.ts', reason: minute },
  AUD0070A: { test: 'services/job-manager/tests/expectations.test.ts', reason: schedule },
  AUD0071A: { test: 'services/job-manager/tests/expectations.test.ts', reason: schedule },
  AUD0072A: { test: 'services/job-manager/tests/expectations.test.ts', reason: schedule },
  AUD0073A: { test: 'services/job-manager/tests/expectation-requests.test.ts', reason: schedule },
  AUD0080A: { test: 'services/job-manager/tests/configuration-plans.test.ts', reason: source },
  AUD0081A: { test: 'services/job-manager/tests/configuration-plans.test.ts', reason: source },
  AUD0083A: { test: 'services/job-manager/tests/configuration-owners.test.ts', reason: source },
  AUD0084A: { test: 'services/job-manager/tests/configuration-owners.test.ts', reason: source },
  AUD0085A: { test: 'services/job-manager/tests/configuration-owners.test.ts', reason: source },
  AUD0090A: {
    test: 'services/job-manager/tests/webhook-replays.test.ts',
    reason: 'a worker has sent a webhook before',
  },
  AUD0091A: { test: 'services/job-manager/tests/second-factors.test.ts', reason: app },
  AUD0092A: { test: 'services/job-manager/tests/second-factors.test.ts', reason: app },
  AUD0093A: { test: 'services/job-manager/tests/second-factor-policy.test.ts', reason: app },
  AUD0094A: { test: 'services/job-manager/tests/second-factor-policy.test.ts', reason: app },
  AUD0100A: { test: 'services/audit/tests/recorded-settings.test.ts', reason: restart },
  AUD0107A: { test: 'services/audit/tests/recorded-settings.test.ts', reason: restart },
  AUD0110A: { test: 'services/audit/tests/old-chain.test.ts', reason: 'a former release has written the log' },
  AUD0112A: {
    test: 'services/audit/tests/restored-database.test.ts',
    reason: 'the database is restored from a backup',
  },
  AUD0114A: { test: 'services/audit/tests/retention.test.ts', reason: 'records are kept for a day or more' },
  AUD0115A: { test: 'services/audit/tests/failing-anchors.test.ts', reason: failure },
  AUD0116A: { test: 'services/audit/tests/failing-anchors.test.ts', reason: failure },
  AUD0120A: { test: 'services/audit/tests/recorded-readings.test.ts', reason: minute },
  AUD0124A: { test: 'services/audit/tests/forward-failures.test.ts', reason: failure },
  AUD0125A: { test: 'services/audit/tests/forward-failures.test.ts', reason: failure },
};
