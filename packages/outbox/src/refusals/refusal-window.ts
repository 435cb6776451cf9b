import type { AuditedCircumstances, AuditedFact } from '@waybill/contracts/messages/audit-catalogue';

/** What one subject was refused in one window of time. */
export class RefusalWindow {
  readonly #subject: AuditedCircumstances;
  readonly #recordedAtMost: number;
  readonly #recorded = new Set<string>();
  readonly #counted = new Map<string, number>();
  #count = 0;
  readonly #addresses = new Set<unknown>();
  #first = '';
  #last = '';

  /** @param subject the circumstances of its first refusal */
  constructor(subject: AuditedCircumstances, recordedAtMost: number) {
    this.#subject = subject;
    this.#recordedAtMost = recordedAtMost;
  }

  /** Counts a refusal that is not to be recorded: there were enough, or the same one. */
  counts(fact: AuditedFact, { entityName, names, context }: AuditedCircumstances): boolean {
    const outcome = String(context?.['outcome'] ?? '');
    const address = context?.['address'];
    const refusal = JSON.stringify([fact, entityName, names?.['newPath'], outcome, address]);
    if (!this.#recorded.has(refusal) && this.#recorded.size < this.#recordedAtMost) {
      this.#recorded.add(refusal);
      return false;
    }
    this.#count += 1;
    if (this.#addresses.size < 2) this.#addresses.add(address);
    this.#counted.set(outcome, (this.#counted.get(outcome) ?? 0) + 1);
    this.#last = new Date().toISOString();
    if (this.#first === '') this.#first = this.#last;
    return true;
  }

  /** The circumstances of those that were counted; undefined without any. */
  summary(): AuditedCircumstances | undefined {
    if (this.#count === 0) return undefined;
    const { entityType, context, names, ...subject } = this.#subject;
    const { port: _port, outcome: _outcome, reason: _reason, ...client } = context ?? {};
    const isOneClient = this.#addresses.size === 1 && this.#addresses.has(client['address']);
    return {
      ...subject,
      entityType,
      entityName: '',
      entityId: '',
      dfiid: undefined,
      names: {
        caller: names?.['caller'] ?? callerOf(subject),
        count: String(this.#count),
        first: this.#first,
        last: this.#last,
        outcomes: [...this.#counted].map(([outcome, count]) => `${outcome} ${count}`).join(', '),
      },
      context: isOneClient ? client : undefined,
    };
  }
}

/** Who was refused, in the words of a record. */
function callerOf({ user }: Pick<AuditedCircumstances, 'user'>): string {
  return user === '' ? 'A caller without a login' : `User ${user}`;
}
