import { parseArgs } from 'node:util';
import { prepareCertificate } from '../prepare-certificate.ts';
import { prepareSecrets } from '../prepare-secrets.ts';

// Runs before everything else of the composed platform: generates missing passwords and keys, and a missing certificate. It
// prints the names of what it generated, never a value.
const { values } = parseArgs({ options: { secrets: { type: 'string' }, certificate: { type: 'string' } } });
if (values.secrets === undefined || values.certificate === undefined) {
  process.stderr.write('Usage: prepare/main.ts --secrets <folder> --certificate <folder>\n');
  process.exitCode = 2;
} else {
  const made = await prepareSecrets(values.secrets, process.env);
  for (const name of made)
    process.stdout.write(`generated a random ${name.endsWith('secret-keys') ? 'key' : 'password'}: ${name}\n`);
  const names = (process.env['WAYBILL_TLS_NAMES'] || 'localhost,127.0.0.1,::1').split(',');
  if (await prepareCertificate(values.certificate, names)) {
    process.stdout.write(`generated a self-signed certificate for ${names.join(', ')}\n`);
  }
}
