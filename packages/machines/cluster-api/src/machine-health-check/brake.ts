import { scaledValue } from '@hypershift-ts/kube-controllers';
import type { MachineHealthCheckSpec } from '../generated/capiv1beta1.ts';

/** Whether so many machines may be repaired, and how many more. */
export interface Brake {
  readonly allowed: boolean;
  readonly remediationsAllowed: number;
  /** Why not, for people. */
  readonly message: string;
}

/** Too many unhealthy machines at once point at the network or the control plane: replacing them would not help. */
export function brakeFor(check: MachineHealthCheckSpec, total: number, unhealthy: number): Brake {
  const { unhealthyRange, maxUnhealthy = '100%' } = check;
  const range = unhealthyRange ? /^\[(\d+)-(\d+)\]$/.exec(unhealthyRange) : null;
  const told = 'Remediation is not allowed, the number of not started or unhealthy machines';
  if (range) {
    const [least, most] = [Number(range[1]), Number(range[2])];
    return {
      allowed: least <= unhealthy && unhealthy <= most,
      remediationsAllowed: Math.max(most - unhealthy, 0),
      message: `${told} does not fall within the range (total: ${total}, unhealthy: ${unhealthy}, unhealthyRange: ${unhealthyRange})`,
    };
  }
  const most = scaledValue(maxUnhealthy, total, 'down');
  return {
    allowed: unhealthy <= most,
    remediationsAllowed: Math.max(most - unhealthy, 0),
    message: `${told} exceeds maxUnhealthy (total: ${total}, unhealthy: ${unhealthy}, maxUnhealthy: ${maxUnhealthy})`,
  };
}
