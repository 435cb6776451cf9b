import pino from 'pino';
import { currentCorrelation } from './correlation.ts';
import { serializeError } from './serialize-error.ts';

/** Writes JSON lines on standard output. */
export type Logger = pino.Logger;

/** A logger for a service. Every line carries the correlation ids in force; what looks like a secret is left out. */
export function createLogger(options: {
  service: string;
  level: string;
  /** Which of several processes of the service this is; on every line then. */
  processNumber?: number;
  destination?: pino.DestinationStream;
}): Logger {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: {
      service: options.service,
      ...(options.processNumber !== undefined && { process: options.processNumber }),
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: serializeError },
    mixin: () => ({ ...currentCorrelation() }),
    redact: {
      paths: ['password', '*.password', 'token', '*.token', 'authorization', '*.authorization', 'cookie', '*.cookie'],
      remove: true,
    },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}
