import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { explainDemoPassword } from '@waybill/directory/logins/demo-passwords';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { LoginEvents } from './domain/access/login-events.ts';
import type { ConfigurationEvents } from './domain/administration/configurations.ts';
import type { Job, ListedJob } from './domain/jobs/job.ts';
import type { StepWait } from './domain/queues/step-wait.ts';
import type { NextMove } from './domain/workflows/decide-after-failure.ts';

/** How a process has ended that ran one job alone: by itself, or it died, or it had to be killed. */
export type ProcessOutcome = 'ended' | 'died' | 'killed';

/** What happens here that operators care about: one function each, all logs and metrics of the service. */
export interface JobManagerEvents extends LoginEvents, ConfigurationEvents {
  jobSubmitted(job: Job): void;
  jobClaimed(job: Job, begunBefore: boolean): void;
  jobCompleted(job: Job): void;
  jobFailed(job: Job): void;
  jobAborted(job: Job): void;
  jobLost(job: Job): void;
  /** It waits for a time, a file or an approval, and holds no worker. */
  jobWaits(job: Job, wait: StepWait): void;
  jobHandedBack(job: Job): void;
  /** This worker does not understand the job, and has left it to a newer one. */
  jobLeft(job: Job, needs: readonly string[]): void;
  /** The end of an attempt could not be written down. */
  jobStuck(job: Job, error: unknown): void;
  stepFailed(job: Job, step: StoredStep, error: unknown, next: NextMove): void;
  /** A task did not end when it was asked to, and was abandoned: it can write nothing any more. */
  taskDeaf(job: Job, step: StoredStep): void;
  /** A process that ran one suspected job alone has ended. */
  jobRanAlone(job: Job, outcome: ProcessOutcome): void;
  jobsSuspended(count: number): void;
  /** A change of many jobs has stopped at this one. */
  bulkChangeStopped(job: ListedJob, error: unknown): void;
  /** A dataflow has gone through so many jobs in a row that it looks endless. */
  chainTooLong(job: Job): void;
  /** The pool or a duty cannot reach what it needs. */
  workerTroubled(error: unknown, what: string): void;
}

/** Logs and counts. */
export function createEvents(logger: Logger, metrics: Metrics): JobManagerEvents {
  return {
    ...createJobEvents(logger, metrics),
    ...createLoginEvents(logger, metrics),
    ...createConfigurationEvents(logger, metrics),
  };
}

type JobEvents = Omit<JobManagerEvents, keyof LoginEvents | keyof ConfigurationEvents>;

function createJobEvents(logger: Logger, metrics: Metrics): JobEvents {
  const { ended, duration, submitted, startDelay, continued, failures, deaf, alone } = createJobMetrics(metrics);
  const claimedAt = new WeakMap<Job, number>();
  const count = (job: Job, status: 'COMPLETED' | 'ERROR'): void => {
    const { queue } = job;
    ended.inc({ status, queue });
    const at = claimedAt.get(job);
    if (at !== undefined) duration.observe({ status, queue }, (performance.now() - at) / 1_000);
  };
  const about = ({ id, contract, contractAction, queue }: ListedJob) => ({
    jobId: id,
    contract,
    contractAction,
    queue,
  });
  return {
    jobSubmitted: (job) => {
      submitted.inc({ trigger: job.contractActionTrigger });
      logger.info(about(job), 'job submitted');
    },
    jobClaimed: (job, begunBefore) => {
      claimedAt.set(job, performance.now());
      if (begunBefore) continued.inc();
      else startDelay.observe(Math.max(0, job.updatedAt.getTime() - job.createdAt.getTime()) / 1_000);
      logger.info({ ...about(job), begunBefore }, 'job claimed');
    },
    jobCompleted: (job) => {
      count(job, 'COMPLETED');
      logger.info(about(job), 'job completed');
    },
    jobFailed: (job) => {
      count(job, 'ERROR');
      logger.warn(about(job), 'job failed');
    },
    jobAborted: (job) => {
      ended.inc({ status: 'ABORTED', queue: job.queue });
      logger.info(about(job), 'job aborted');
    },
    jobLost: (job) => logger.warn(about(job), 'job is no longer held: aborted or taken over'),
    jobWaits: (job, { kind, step, until }) => logger.info({ ...about(job), kind, step, until }, 'job waits at a step'),
    jobHandedBack: (job) => logger.info(about(job), 'job handed back'),
    jobLeft: (job, needs) => logger.warn({ ...about(job), needs }, 'job left to a newer worker'),
    jobStuck: (job, error) => logger.error({ ...about(job), err: error }, 'job left to its lease'),
    stepFailed: (job, step, error, next) => {
      failures.inc({ task: step.uses });
      logger.warn({ ...about(job), step: step.name, err: error, next: next.kind }, 'step failed');
    },
    taskDeaf: (job, step) => {
      deaf.inc({ task: step.uses });
      logger.error({ ...about(job), step: step.name }, 'a task did not end when it was interrupted: it was abandoned');
    },
    jobRanAlone: (job, outcome) => {
      alone.inc({ outcome });
      if (outcome === 'ended') logger.info(about(job), 'job ran in a process of its own');
      else logger.error({ ...about(job), outcome }, 'the process that ran a suspected job alone was lost');
    },
    jobsSuspended: (count) => logger.warn({ count }, 'jobs suspended: their queue is closed or was removed'),
    bulkChangeStopped: (job, error) => logger.error({ ...about(job), err: error }, 'a change of many jobs has stopped'),
    chainTooLong: (job) => logger.error(about(job), 'job not run: the dataflow has become too long'),
    workerTroubled: (error, what) => logger.error({ err: error, what }, 'the worker cannot reach what it needs'),
  };
}

function createJobMetrics(metrics: Metrics) {
  return {
    ended: metrics.counter({
      name: 'waybill_jobs_ended_total',
      help: 'Jobs that have come to an end, by how, and by queue',
      labels: ['status', 'queue'],
    }),
    duration: metrics.histogram({
      name: 'waybill_job_duration_seconds',
      help: 'Time from the last claim of a job to its end, by how it ended, and by queue',
      labels: ['status', 'queue'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3_600],
    }),
    submitted: metrics.counter({ name: 'waybill_jobs_submitted_total', help: 'Jobs made', labels: ['trigger'] }),
    startDelay: metrics.histogram({
      name: 'waybill_job_start_delay_seconds',
      help: 'Time from the submission of a job to its first claim',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 300],
    }),
    continued: metrics.counter({
      name: 'waybill_jobs_continued_total',
      help: 'Jobs claimed that had begun before: after a retry delay, a resume or the loss of their worker',
    }),
    deaf: metrics.counter({
      name: 'waybill_job_tasks_abandoned_total',
      help: 'Tasks that did not end when they were interrupted, and were abandoned',
      labels: ['task'],
    }),
    alone: metrics.counter({
      name: 'waybill_job_processes_total',
      help: 'Runs of suspected jobs in processes of their own, by how the process ended',
      labels: ['outcome'],
    }),
    failures: metrics.counter({ name: 'waybill_job_steps_failed_total', help: 'Failed attempts', labels: ['task'] }),
  };
}

function createLoginEvents(logger: Logger, metrics: Metrics): LoginEvents {
  const logins = metrics.counter({
    name: 'waybill_logins_total',
    help: 'Manager logins by method (password, totp, recovery_code, oidc) and outcome: success, or why they were refused',
    labels: ['method', 'outcome'],
  });
  const refusedLogin = (outcome: string): void => logins.inc({ method: 'password', outcome });
  const passwordChanges = metrics.counter({
    name: 'waybill_password_changes_total',
    help: 'Passwords that managers changed or set with a code, and refused attempts, by the code of the refusal',
    labels: ['outcome'],
  });
  const bans = metrics.counter({
    name: 'waybill_login_bans_total',
    help: 'Bans that began after too many failed logins of managers',
    labels: ['subject'],
  });
  return {
    loginSucceeded: (userName, method) => {
      logins.inc({ method, outcome: 'success' });
      logger.info({ userName, method }, 'login');
    },
    loginFailed: (userName, refusal) => {
      refusedLogin(refusal === 'invalid_credentials' ? 'failure' : refusal);
      logger.warn({ userName, refusal }, 'login failed');
    },
    secondFactorDue: (userName, code) => {
      refusedLogin(code);
      logger.info({ userName, code }, 'login turned away: the password is not enough');
    },
    passwordDue: (userName) => {
      refusedLogin('password_change_required');
      logger.info({ userName }, 'login turned away: the password must be changed');
    },
    passwordChange: (outcome) => passwordChanges.inc({ outcome }),
    oidcLoginRefused: (error) => {
      logins.inc({ method: 'oidc', outcome: 'failure' });
      // Its cause may contain a token.
      logger.warn({ reason: error.message }, 'login with the issuer refused');
    },
    loginThrottled: (userName, method = 'password') => {
      logins.inc({ method, outcome: 'throttled' });
      logger.warn({ userName }, 'login refused: too many failures');
    },
    demoPasswordRefused: (userName, exposure) => logger.error({ userName }, explainDemoPassword(userName, exposure)),
    loginsBanned: ({ address, userName }, seconds) => {
      bans.inc({ subject: userName === undefined ? 'address' : 'user' });
      logger.warn({ address, userName, seconds }, 'logins banned');
    },
    banNotRecorded: (error) => logger.error({ err: error }, 'the beginning of a ban is not on the record'),
    throttleUnreachable: (error) => logger.error({ err: error }, 'failed logins cannot be counted'),
  };
}

function createConfigurationEvents(logger: Logger, metrics: Metrics): ConfigurationEvents {
  const started = metrics.counter({
    name: 'waybill_configuration_processes_started_total',
    help: 'Processes that were started for a large configuration, by what they do: plan, apply, validate or export',
    labels: ['call'],
  });
  const ended = metrics.counter({
    name: 'waybill_configuration_processes_ended_total',
    help: 'Processes of large configurations that have ended: answered, timed_out, out_of_memory, stopped (with the manager) or died',
    labels: ['call', 'outcome'],
  });
  return {
    configurationProcessStarted: (call) => started.inc({ call }),
    configurationProcessEnded: (call, outcome) => {
      ended.inc({ call, outcome });
      if (outcome !== 'answered') logger.warn({ call, outcome }, 'the process of a configuration has not answered');
    },
  };
}
