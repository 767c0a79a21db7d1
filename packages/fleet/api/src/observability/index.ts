/** What operators see: log lines and metrics. */
export { createLogger, type Logger, silentLogger } from './logger.ts';
export { measuredDatabase } from './measured-database.ts';
export { type ApiMetrics, createMetrics } from './metrics.ts';
