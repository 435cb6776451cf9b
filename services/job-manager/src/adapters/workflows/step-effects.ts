import type { CompanionWrite } from '@waybill/filebox/model/companion-write';
import type { Database } from '@waybill/postgres/database';
import { Interruption } from '../../domain/jobs/interruption.ts';
import type { Hold } from '../../domain/jobs/job-ledger.ts';
import type { WrittenFile } from '../../domain/workflows/task.ts';
import { isLost, notingEffect } from './noting-effect.ts';

/** The step whose effects are noted. */
export interface EffectfulStep {
  readonly hold: Hold;
  readonly position: number;
  /** Of the step, from 1. */
  readonly attempt: number;
}

/** The effects of a step: each happens once, whatever number of attempts the step takes. */
export interface StepEffects {
  /** The result of an effect of an earlier attempt. */
  find(name: string): Promise<WrittenFile | undefined>;
  /** Makes a change that writes `companion` in its transaction. `path`: where the result is. */
  make<T>(effect: StepEffect, change: (companion: CompanionWrite) => Promise<T>): Promise<T>;
  /** The same, unless an earlier attempt has made it. */
  once<T>(
    effect: StepEffect,
    change: (companion: CompanionWrite) => Promise<T>,
  ): Promise<{ made: T } | { earlier: WrittenFile }>;
}

/** A change that a step makes once. */
export interface StepEffect {
  /** Unique in the step. */
  readonly name: string;
  readonly path: string;
}

/** The effects of a step that are noted in the database. */
export function createStepEffects(db: Database, { hold, position, attempt }: EffectfulStep): StepEffects {
  // A first attempt has changed nothing: had an earlier one, its beginning would be as durable as what it changed.
  const find = async (name: string): Promise<WrittenFile | undefined> => {
    if (attempt === 1) return undefined;
    const { rows } = await db.raw<{ rows: { result: WrittenFile }[] }>(
      'SELECT result FROM jobs.effects WHERE job_id = ? AND position = ? AND name = ?',
      [hold.jobId, position, name],
    );
    return rows[0]?.result;
  };
  const make: StepEffects['make'] = async (effect, change) => {
    try {
      return await change(notingEffect(hold, position, effect));
    } catch (error) {
      throw isLost(error) ? new Interruption('lost') : error;
    }
  };
  return {
    find,
    make,
    once: async (effect, change) => {
      const earlier = await find(effect.name);
      return earlier ? { earlier } : { made: await make(effect, change) };
    },
  };
}
