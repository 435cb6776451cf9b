/** The actor of a job, which can be deleted while the job waits or runs: another actor can get its name then. */
export interface ActorOfJob {
  /** Its name. */
  readonly actor: string;
  /** Its number, decimal; `undefined`: the job is from before jobs had it, and of the actor that had the name when it was created. */
  readonly actorId?: string | undefined;
  readonly createdAt: Date;
}

/** An actor that has the name of the actor of a job. */
export interface NamedActor {
  readonly actorId: string;
  /** When it was created, in milliseconds since 1970; -Infinity: it has always existed. */
  readonly actorSinceMs: number;
}

/** The number of the actor of a job from before jobs had it, if another actor has its name now. No actor has this number. */
export const formerActorId = '0';

/** Whether an actor of this name is that of the job. */
export function isActorOf({ actorId, createdAt }: ActorOfJob, named: NamedActor): boolean {
  return actorId === undefined ? named.actorSinceMs <= createdAt.getTime() : actorId === named.actorId;
}
