import { annotations, type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { PlatformError } from '../errors.ts';

/** How load balancers of the hosted cluster learn which nodes are healthy. */
export interface HealthProbe {
  readonly mode: string;
  readonly path?: string;
  readonly port?: number;
}

function invalid(annotation: string, value: string, rule: string): PlatformError {
  return new PlatformError('PLATFORM_ANNOTATION_INVALID', {
    message: `invalid value for annotation ${annotation}: ${value} (${rule})`,
    fix: `correct or remove annotation ${annotation}`,
    field: `metadata.annotations[${annotation}]`,
  });
}

/** The annotation of a platform and how its cloud provider writes the two modes. */
interface ProbeDialect {
  readonly annotation: string;
  readonly shared: string;
  readonly nodePort: string;
}

/** The probe, shared by all services unless the platform's annotation says otherwise; path and port are for shared. */
export function healthProbe(
  { metadata }: HostedControlPlane,
  { annotation, shared, nodePort }: ProbeDialect,
): HealthProbe {
  const mode = metadata.annotations?.[annotation] ?? shared;
  if (mode !== shared && mode !== nodePort) throw invalid(annotation, mode, `valid values: ${shared}, ${nodePort}`);
  if (mode === nodePort) return { mode };
  const path = metadata.annotations?.[annotations.sharedLoadBalancerHealthProbePath.key];
  const portText = metadata.annotations?.[annotations.sharedLoadBalancerHealthProbePort.key];
  if (portText !== undefined && !/^\d{1,5}$/.test(portText))
    throw invalid(annotations.sharedLoadBalancerHealthProbePort.key, portText, 'must be a valid port number');
  const port = Number(portText);
  if (portText !== undefined && (port < 1 || port > 65535))
    throw invalid(annotations.sharedLoadBalancerHealthProbePort.key, portText, 'must be between 1 and 65535');
  return { mode, ...(path === undefined ? {} : { path }), ...(portText === undefined ? {} : { port }) };
}
