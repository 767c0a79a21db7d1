import { hostname } from 'node:os';
import type { JsonObject } from '@hypershift-ts/kube-apimachinery';

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

/** Writes one line. */
export type Log = (level: LogLevel, message: string, fields?: JsonObject) => void;

export interface LogOptions {
  readonly level?: string | undefined;
  readonly format?: string | undefined;
  readonly write: (line: string) => void;
  readonly now: () => number;
  readonly component: string;
  readonly version: string;
}

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warning', 'error'];

/** A log in the fleet's JSON or text form. */
export function createLog({ level = 'info', format = 'json', write, now, component, version }: LogOptions): Log {
  const least = ORDER.indexOf(level === 'warn' ? 'warning' : (level as LogLevel));
  const host = hostname();
  return (at, message, fields = {}) => {
    if (ORDER.indexOf(at) < least) return;
    const timestamp = new Date(now()).toISOString();
    if (format !== 'text') {
      write(`${JSON.stringify({ timestamp, level: at, message, component, version, hostname: host, ...fields })}\n`);
      return;
    }
    const rest = Object.entries(fields).map(
      ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    write(`${timestamp} ${at.toUpperCase()} [${component}] [${version}] [${host}] ${message}${rest.join('')}\n`);
  };
}
