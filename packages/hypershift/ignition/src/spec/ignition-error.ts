import type { Finding } from './shape.ts';

/** The newest specification read; what merging produces. */
export const workingVersion = '3.5.0';

/** A config that Ignition would refuse. The message names every place. */
export class IgnitionError extends Error {
  override readonly name = 'IgnitionError';
  readonly findings: readonly Finding[];

  constructor(message: string, findings: readonly Finding[] = []) {
    super(findings.length === 0 ? message : `${message}: ${findings.map(describe).join('; ')}`);
    this.findings = findings;
  }
}

const describe = ({ path, message }: Finding): string => (path === '' ? message : `$.${path}: ${message}`);
