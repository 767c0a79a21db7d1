/** What operators see: log lines and metrics. */
export { createLogger, type Logger, type LoggerOptions, silentLogger } from './logger.ts';
export { measuredDatabase } from './measured-database.ts';
export { type ApiMetrics, createMetrics, type MetricsOptions } from './metrics.ts';
