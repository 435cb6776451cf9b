import {
  type ConfigurationDrift,
  readDriftEndpoint,
} from '@waybill/contracts/endpoints/administration/ownership-endpoints';
import { type Command, ExitCode } from '../../command.ts';
import { describeDifference } from '../../configuration/describe-difference.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, jsonOption, textOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';
import { announcePlatform } from '../../platform/target.ts';

type Drift = ConfigurationDrift['sources'][number];

/** Shows where the state of a platform differs from what sources have applied. */
export const driftCommand: Command = {
  summary:
    'Shows what differs from what sources have applied last. With --exit-code, it ends with 2 if something does.',
  examples: ['waybill drift', 'waybill drift --source logistics --exit-code'],
  options: {
    source: textOption('name', 'Only this source.'),
    'exit-code': flagOption('Ends with 2 if something differs.'),
    json: jsonOption,
    ...platformOptions,
  },
  run: async (invocation) => {
    const { values } = invocation;
    await announcePlatform(invocation);
    const query = givenTexts(values, ['source']);
    const { sources } = await requestPlatform(invocation, readDriftEndpoint, { query });
    const isDrifted = sources.some(({ objects }) => objects.length > 0);
    const lines = isDrifted ? sources.flatMap(describeDrift) : ['Nothing differs.'];
    printOne(invocation, { sources }, lines.map(printable));
    if (isDrifted && values['exit-code'] === true) throw new ExitCode(2);
  },
};

function describeDrift({ source, objects }: Drift): string[] {
  return objects.flatMap(({ cause, entityType, name, owner, differences, reason, changedBy, changedAt }) => {
    const now = owner === undefined ? ', deleted' : '';
    const why = reason === '' ? '' : `: ${reason}`;
    return [
      `! ${source}: ${entityType} ${name} was ${cause}${now} by ${changedBy} at ${changedAt}${why}`,
      ...(owner === undefined ? [] : differences).map(
        ({ setting, before, after }) => `    ${describeDifference({ place: setting, before, after }, new Set())}`,
      ),
    ];
  });
}
