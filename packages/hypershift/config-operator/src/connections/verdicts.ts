import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { DesiredCondition } from '@hypershift-ts/kube-controller';
import { connectionChecker } from '../resources/kas-connection-checker.ts';

/** A successful check older than this says nothing about now. */
const staleAfterMs = 5 * 60_000;

const well = { status: 'True', reason: 'AsExpected', message: 'All is well' } as const;
const noNodes = 'NoWorkerNodesAvailable';

export interface AgentFacts {
  readonly nodes: number;
  /** Konnectivity agents that run. */
  readonly running: number;
  /** Whether the log of one of them could be read: a round trip through the tunnel to a kubelet. */
  readonly logsRead: boolean;
}

/** Whether the control plane reaches the nodes. */
export function dataPlaneConnection({ nodes, running, logsRead }: AgentFacts): DesiredCondition {
  const type = 'DataPlaneConnectionAvailable';
  if (nodes === 0) return { type, status: 'Unknown', reason: noNodes, message: 'No worker nodes available' };
  if (running > 0 && logsRead) return { type, ...well };
  const message =
    running === 0
      ? "Couldn't find any konnectivity-agent running in data plane"
      : 'failed to read konnectivity-agent logs from data plane';
  return { type, status: 'False', reason: 'KonnectivityAgentPodsNotFound', message };
}

/** Whether pods on the nodes reach the API server, from what they last wrote. */
export function controlPlaneConnection(
  nodes: number,
  check: corev1.ConfigMap | undefined,
  nowMs: number,
): DesiredCondition {
  const type = 'ControlPlaneConnectionAvailable';
  const { namespace, configMap, field } = connectionChecker;
  const unknown = (reason: string, message: string) => ({ type, status: 'Unknown' as const, reason, message });
  const failed = (reason: string, why: string) => ({
    type,
    status: 'False' as const,
    reason,
    message: `Data plane to control plane connection is not available: ${why}`,
  });
  if (nodes === 0) return unknown(noNodes, 'No worker nodes available to verify control plane connectivity');
  if (!check)
    return unknown(
      'ConfigMapNotFound',
      `Connectivity check ConfigMap ${namespace}/${configMap} not found; the hosted cluster config operator may not have reconciled it yet`,
    );
  const text = check.data?.[field];
  if (!text) return failed('KASAccessFailed', 'no successful connectivity check recorded');
  const at = Date.parse(text);
  if (Number.isNaN(at)) return failed('KASAccessFailed', `failed to parse ${field} timestamp: ${JSON.stringify(text)}`);
  if (nowMs - at > staleAfterMs)
    return failed('ConnectionCheckStale', `last successful check was at ${text}, which is older than 5 minutes`);
  return { type, ...well };
}
