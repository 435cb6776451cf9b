import { useQuery } from '@tanstack/react-query';
import { texts } from '../texts.ts';

const consoleAddress = '/console/';

/** Where operators log in, if their console is at this address, too: their names and passwords are not valid here. */
export function OperatorsHint() {
  const { data: isThere = false } = useQuery({
    queryKey: ['operators’ console'],
    queryFn: async ({ signal }) => {
      const { ok } = await fetch(consoleAddress, { method: 'HEAD', redirect: 'manual', signal });
      return ok;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isThere) return null;
  return (
    <p className="hint">
      {texts.operatorsHint} <a href={consoleAddress}>{texts.operatorsConsole}</a>
    </p>
  );
}
