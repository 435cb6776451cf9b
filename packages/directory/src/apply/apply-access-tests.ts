import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Change } from './change.ts';
import { type Applying, reconcileEntities } from './reconcile-entities.ts';

/** Applies access tests. Whether they hold is checked when everything else is applied. */
export async function applyAccessTests(
  applying: Applying,
  { accessTests }: PlatformConfiguration,
): Promise<readonly Change[]> {
  const kind = { entityType: 'Access Test', table: 'access_tests' } as const;
  const wanted = accessTests.map((test) => ({ name: test.name, definition: test }));
  return (await reconcileEntities(applying, kind, wanted)).changes;
}
