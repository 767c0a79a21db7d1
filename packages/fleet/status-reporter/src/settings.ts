export type Environment = Readonly<Record<string, string | undefined>>;

/** What a reporter is told by its environment, in either of the two forms there are. */
export interface ReporterSettings {
  /** Absent: found through the pod. */
  readonly jobName?: string;
  readonly namespace: string;
  readonly podName: string;
  readonly resultsPath: string;
  readonly pollMs: number;
  readonly maxWaitMs: number;
  /** The condition that a single result becomes. */
  readonly conditionType: string;
  readonly adapterContainer?: string;
  /** Whether the adapter reports several conditions, so that a failure has to speak for all of them. */
  readonly reportsMany: boolean;
}

/** Reads the environment; `namespaceOfPod` is what the service account's files say. Throws with every problem. */
export function readSettings(env: Environment, namespaceOfPod?: string): ReporterSettings {
  const problems: string[] = [];
  const text = (...names: string[]): string | undefined => names.map((name) => env[name]).find((value) => value);
  const seconds = (fallback: number, ...names: string[]): number => {
    const given = text(...names);
    const value = given === undefined ? fallback : Number(given);
    if (Number.isFinite(value) && value > 0) return value * 1000;
    problems.push(`${names.join(' or ')} must be a positive number of seconds, not ${JSON.stringify(given)}`);
    return fallback * 1000;
  };
  const resultsPath = text('RESULTS_INPUT_PATH', 'RESULTS_PATH') ?? '/results/adapter-result.json';
  if (!resultsPath.startsWith('/')) problems.push(`the path of the results must be absolute, not ${resultsPath}`);
  const pollMs = seconds(2, 'POLL_INTERVAL_SECONDS', 'POLL_INTERVAL');
  const maxWaitMs = seconds(300, 'MAX_WAIT_TIME_SECONDS');
  if (pollMs >= maxWaitMs) problems.push('the poll interval must be shorter than MAX_WAIT_TIME_SECONDS');
  const namespace = text('JOB_NAMESPACE') ?? namespaceOfPod ?? '';
  const podName = text('POD_NAME', 'HOSTNAME') ?? '';
  if (namespace === '') problems.push('JOB_NAMESPACE is not set');
  if (podName === '') problems.push('POD_NAME is not set');
  if (problems.length > 0) throw new Error(problems.join('; '));
  const jobName = text('JOB_NAME');
  const adapterContainer = text('ADAPTER_CONTAINER_NAME');
  return {
    ...(jobName === undefined ? {} : { jobName }),
    namespace,
    podName,
    resultsPath,
    pollMs,
    maxWaitMs,
    conditionType: text('CONDITION_TYPE') ?? 'Available',
    ...(adapterContainer === undefined ? {} : { adapterContainer }),
    reportsMany: env['RESULTS_INPUT_PATH'] !== undefined,
  };
}
