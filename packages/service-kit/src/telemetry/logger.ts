import pino from 'pino';
import { currentCorrelation } from './correlation.ts';
import { serializeError } from './serialize-error.ts';

/** Writes JSON lines on standard output. */
export type Logger = pino.Logger;

/** A logger for a service. Every line has the current correlation ids; fields that look like secrets are removed. */
export function createLogger(options: {
  service: string;
  level: string;
  /** The number of this process, if the service has several; added to every line. */
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
