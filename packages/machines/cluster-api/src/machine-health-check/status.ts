import { falseState, trueState, withStates } from '../conditions/v1beta1.ts';
import { newState, withNewStates } from '../conditions/v1beta2.ts';
import type { MachineHealthCheck, MachineHealthCheckStatus } from '../generated/capiv1beta1.ts';
import type { Brake } from './brake.ts';

export function healthCheckStatus(
  check: MachineHealthCheck,
  targets: readonly string[],
  healthy: number,
  brake: Brake,
  nowMs: number,
): MachineHealthCheckStatus {
  const before = check.status ?? {};
  const { generation } = check.metadata;
  const allowed = brake.allowed
    ? trueState('RemediationAllowed')
    : falseState('RemediationAllowed', 'TooManyUnhealthy', 'Warning', brake.message);
  const states = [
    brake.allowed
      ? newState('RemediationAllowed', 'True', 'RemediationAllowed')
      : newState('RemediationAllowed', 'False', 'TooManyUnhealthy', brake.message),
    newState('Paused', 'False', 'NotPaused'),
  ];
  return {
    ...before,
    expectedMachines: targets.length,
    currentHealthy: healthy,
    remediationsAllowed: brake.remediationsAllowed,
    targets: [...targets].sort(),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    conditions: withStates(before.conditions, [allowed], nowMs),
    v1beta2: { conditions: withNewStates(before.v1beta2?.conditions, states, generation, nowMs) },
  };
}
