/** One named check behind /livez, /readyz and /healthz. Throws with the reason when it fails. */
export interface HealthCheck {
  readonly name: string;
  readonly check: () => void | Promise<void>;
  /** Readiness only: a failing check must not get the process restarted. */
  readonly readyOnly?: boolean;
}

export interface HealthAnswer {
  readonly code: 200 | 404 | 500;
  readonly text: string;
}

/** Runs the checks of an endpoint and words the answer as kube-apiserver does. */
export async function healthAnswer(
  endpoint: 'healthz' | 'livez' | 'readyz',
  checks: readonly HealthCheck[],
  options: { readonly verbose: boolean; readonly exclude: readonly string[] },
): Promise<HealthAnswer> {
  const lines: string[] = [];
  let failed = false;
  for (const { name, check, readyOnly } of checks) {
    if (readyOnly && endpoint !== 'readyz') continue;
    if (options.exclude.includes(name)) {
      lines.push(`[+]${name} excluded: ok`);
      continue;
    }
    try {
      await check();
      lines.push(`[+]${name} ok`);
    } catch {
      // The reason stays in the server's own log, as upstream does it: this path may be open to anyone.
      failed = true;
      lines.push(`[-]${name} failed: reason withheld`);
    }
  }
  if (failed) return { code: 500, text: `${lines.join('\n')}\n${endpoint} check failed\n` };
  return { code: 200, text: options.verbose ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok' };
}

/** One check by name: /livez/etcd. */
export async function singleHealthAnswer(name: string, checks: readonly HealthCheck[]): Promise<HealthAnswer> {
  const found = checks.find((check) => check.name === name);
  if (!found) return { code: 404, text: `404 page not found\n` };
  try {
    await found.check();
    return { code: 200, text: 'ok' };
  } catch {
    return { code: 500, text: `internal server error: ${name} failed: reason withheld\n` };
  }
}
