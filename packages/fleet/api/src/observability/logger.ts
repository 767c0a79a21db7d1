import { isJsonObject, type JsonValue } from '@hypershift-ts/kube-apimachinery';

/** Structured log lines; a pino logger fits as it is. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

interface LoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly format: 'json' | 'text';
  readonly write: (line: string) => void;
  readonly now: () => number;
  readonly component: string;
  readonly version: string;
  /** Members whose values are never written. */
  readonly masked: readonly string[];
}

const levels = ['debug', 'info', 'warn', 'error'] as const;
const hidden = '***';

/** Writes one line per event, as JSON or as text. */
export function createLogger(options: LoggerOptions): Logger {
  const masked = new Set(options.masked.map((name) => name.toLowerCase()));
  const threshold = levels.indexOf(options.level);
  const at = (level: (typeof levels)[number]) => {
    if (levels.indexOf(level) < threshold) return () => {};
    return (fields: object, message: string) => {
      const timestamp = new Date(options.now()).toISOString();
      const { component, version } = options;
      const safe = mask(fields as JsonValue, masked) as Record<string, JsonValue>;
      options.write(
        options.format === 'json'
          ? `${JSON.stringify({ timestamp, level, message, component, version, ...safe })}\n`
          : `${timestamp} ${level.toUpperCase()} [${component}] [${version}] ${oneLine(message)}${textFields(safe)}\n`,
      );
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** The value with the members of these names hidden. */
function mask(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => mask(item as JsonValue, names));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      names.has(name.toLowerCase()) ? hidden : mask(member ?? null, names),
    ]),
  );
}

const oneLine = (text: string): string => text.replaceAll('\n', '\\n');

function textFields(fields: Record<string, JsonValue>): string {
  return Object.entries(fields)
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? oneLine(value) : JSON.stringify(value)}`)
    .join('');
}
