import type { CoverageRow } from './coverage-row.ts';

/** Tests of the tasks that speak with programs of others. */
export const partnerCoverage: readonly CoverageRow[] = [
  {
    tasks: ['sftp-push'],
    counterpart: 'OpenSSH',
    file: 'services/job-manager/tests/sftp-tasks.test.ts',
    shared: 'transfer-cases.ts',
    cases: [
      'delivers %i bytes under the name of the source, and nothing else',
      'replaces a file on the server at once, or fails if it must not',
      'goes on where a lost connection has left it, and is complete then',
      'fails for %s, and says so',
      'does not try again what cannot succeed',
    ],
  },
  {
    tasks: ['sftp-pull'],
    counterpart: 'OpenSSH',
    file: 'services/job-manager/tests/sftp-tasks.test.ts',
    shared: 'transfer-cases.ts',
    cases: [
      'fetches the files of a pattern, by name, and leaves them there',
      'fetches nothing of an empty folder, and fails for a file that does not exist',
      'fails for a folder that does not exist',
      'deletes or moves what it has stored',
      'goes on where a lost connection has left it, and stores the whole file',
    ],
  },
  {
    tasks: ['sftp-push'],
    counterpart: 'OpenSSH',
    file: 'services/job-manager/tests/generated-ssh-key.test.ts',
    cases: [
      'a generated %s key delivers a file when the server knows the printed public key',
      'an imported key with a passphrase delivers a file, without the passphrase being stored',
    ],
  },
  {
    tasks: ['sftp-push', 'sftp-pull'],
    counterpart: 'the gateway of the platform',
    file: 'tests/end-to-end/stored-secrets.test.ts',
    cases: [
      'a connection with a secret as its password works, to the gateway of the platform itself, and after a rotation of the keys',
      'sftp-push and sftp-pull against the own gateway outlive the end of the gateway in the middle of a file',
    ],
  },
  {
    tasks: ['ftps-push'],
    counterpart: 'ProFTPD',
    file: 'services/job-manager/tests/ftps-tasks.test.ts',
    shared: 'transfer-cases.ts',
    cases: [
      'delivers %i bytes under the name of the source, and nothing else',
      'replaces a file on the server at once, or fails if it must not',
      'goes on where a lost connection has left it, and is complete then',
      'accepts a pinned certificate in place of its authority and name',
      'speaks TLS from the first byte if the connection says so',
      'fails for %s, and says so',
      'sends neither a name nor a password to a server without TLS',
    ],
  },
  {
    tasks: ['ftps-pull'],
    counterpart: 'ProFTPD',
    file: 'services/job-manager/tests/ftps-tasks.test.ts',
    shared: 'transfer-cases.ts',
    cases: [
      'fetches the files of a pattern, by name, and leaves them there',
      'fetches nothing of an empty folder, and fails for a file that does not exist',
      'deletes or moves what it has stored',
      'goes on where a lost connection has left it, and stores the whole file',
    ],
  },
  {
    tasks: ['s3-push'],
    counterpart: 'OpenStack Swift (S3)',
    file: 'services/job-manager/tests/s3-tasks.test.ts',
    cases: [
      'delivers %i bytes under the name of the source, with their checksum, in parts if they are many',
      'replaces an object, or fails if it must not',
      'fails for %s, and says so',
    ],
  },
  {
    tasks: ['s3-pull'],
    counterpart: 'OpenStack Swift (S3)',
    file: 'services/job-manager/tests/s3-tasks.test.ts',
    cases: [
      'fetches the objects of a pattern in one folder, and leaves them there',
      'skips names that cannot be paths here, and takes nothing of an empty folder or of what is too young',
      'fetches what s3-push has sent in parts, then deletes it, or moves it',
      'stores nothing of an object whose checksum is another one',
      'fails for a server that %s',
    ],
  },
  {
    tasks: ['http-request'],
    counterpart: 'HTTP server of Node.js',
    file: 'services/job-manager/tests/http-tasks.test.ts',
    cases: [
      'gives the status and the text of the response',
      'cuts a long text, and keeps what PostgreSQL cannot store out of it',
      'writes the response into a file',
      'writes nothing if the response is cut off',
      'sends a file of any size, signed, in a request whose key is the same for every attempt',
    ],
  },
  {
    tasks: ['webhook'],
    counterpart: 'HTTP server of Node.js',
    file: 'services/job-manager/tests/http-tasks.test.ts',
    cases: [
      'sends an event as signed JSON, and logs each delivery',
      'is sent again with another id when its job is resubmitted',
      'is refused over a connection without a signing key',
    ],
  },
  {
    tasks: ['webhook'],
    counterpart: 'HTTP server of Node.js',
    file: 'services/job-manager/tests/webhook-replays.test.ts',
    cases: [
      'sends the same body with the same id, signed with the present key and time, by a worker alone',
      'that a stopping worker was at is carried out by another one',
    ],
  },
  {
    tasks: ['send-email'],
    counterpart: 'smtp-server',
    file: 'services/job-manager/tests/send-email.test.ts',
    cases: [
      'sends a mail with files to all recipients',
      'repeats a mail with the same Message-ID after a temporary refusal',
      'fails at once for %s',
      'refuses %s, and sends nothing',
      'never falls back to an unencrypted connection',
    ],
  },
  {
    tasks: ['virus-scan'],
    counterpart: 'clamd (ClamAV)',
    file: 'services/job-manager/tests/virus-scan.test.ts',
    cases: [
      'lets clamd scan a file of %i bytes',
      'fails for an infected file with the name of the virus, and does not try again',
      'fails for a file that is larger than the scanner takes: it is not clean because it was not scanned',
      'tries again while the scanner is down',
      'takes no file for clean if the scanner is %s',
    ],
  },
  {
    tasks: ['virus-scan'],
    counterpart: 'c-icap (ICAP)',
    file: 'services/job-manager/tests/virus-scan-over-icap.test.ts',
    cases: [
      'lets c-icap scan a file: %s, %i bytes',
      'finds a virus: %s',
      'takes no content that the scanner replaces for clean',
      'refuses a file that the scanner would let pass because of its size',
    ],
  },
  {
    tasks: ['sftp-push', 'sftp-pull', 'http-request', 'webhook', 'send-email', 'virus-scan'],
    counterpart: 'servers that stop answering',
    file: 'services/job-manager/tests/killed-transfers.test.ts',
    cases: [
      'tasks whose worker is killed while the partner is in the middle of them take effect once, or again with the same key',
    ],
  },
  {
    tasks: ['pgp-encrypt', 'pgp-decrypt'],
    counterpart: 'GnuPG',
    file: 'services/job-manager/tests/pgp-tasks.test.ts',
    cases: [
      'exchange a file of %i bytes with GnuPG, signed',
      'writes nothing of a file that is not authentic, not signed or not complete, and does not try it again',
      'decrypts unsigned files if no signers are given, and says so',
      'keeps memory flat: 400 MB through encryption and decryption',
    ],
  },
  {
    tasks: ['pgp-sign', 'pgp-verify'],
    counterpart: 'GnuPG',
    file: 'services/job-manager/tests/pgp-tasks.test.ts',
    cases: ['make a signature beside a file, and find who has signed'],
  },
  {
    tasks: ['gzip', 'pgp-encrypt', 'sftp-push'],
    counterpart: 'OpenSSH, 5 GiB',
    file: 'services/job-manager/tests/flat-memory.test.ts',
    cases: ['the memory of a worker stays flat while it compresses, encrypts and sends a file'],
  },
];
