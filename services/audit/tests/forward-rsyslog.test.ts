import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { startRsyslog } from '@waybill/test-kit/rsyslog/start-rsyslog';
import { createTlsFiles } from '@waybill/test-kit/tls/create-tls-files';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { createForwardRig, range } from './forward-rig.ts';

it.each(['TCP', 'TLS'] as const)('rsyslog stores each record once and in order over %s', async (transport) => {
  const pair = await makeSelfSigned({ names: ['127.0.0.1'], days: 1 });
  await using files = await createTlsFiles(pair);
  await using rsyslog = await startRsyslog(transport === 'TLS' ? pair : undefined);
  await using rig = await createForwardRig();
  await rig.append(1_200);
  const scheme = transport === 'TLS' ? 'syslog+tls' : 'syslog+tcp';
  const authority = transport === 'TLS' ? `&ca-file=${files.certFile}` : '';
  await using _audit = await rig.start(`${scheme}://127.0.0.1:${rsyslog.port}?from=start${authority}`);
  await rig.confirmed(1_200);
  // What it has confirmed waits in its queue.
  const stored = await waitFor(
    async () => {
      const messages = await rsyslog.messages();
      return messages.length >= 1_200 ? messages : undefined;
    },
    { what: 'rsyslog to store the records' },
  );
  expect(stored.map(({ text }) => Number(/"sequence":(\d+)/u.exec(text)?.[1]))).toEqual(range(1, 1_200));
  expect(stored[0]).toMatchObject({
    priority: '110',
    hostName: 'peer1',
    msgId: 'AUD0041A',
    structuredData: '[meta sequenceId="1"][origin software="Waybill"]',
  });
});
