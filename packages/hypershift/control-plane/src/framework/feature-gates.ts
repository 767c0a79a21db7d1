import { corev1, decodeYaml } from '@hypershift-ts/kube-apimachinery';
import { type ControlPlaneContext, desiredVersion } from './context.ts';

interface FeatureGateFile {
  readonly status?: {
    readonly featureGates?:
      | readonly {
          readonly version?: string;
          readonly enabled?: readonly { readonly name: string }[];
          readonly disabled?: readonly { readonly name: string }[];
        }[]
      | null;
  };
}

/** Gates of the desired version as `Name=true`, enabled ones first; empty until featuregate-generator has run. */
export function featureGatesOf(context: ControlPlaneContext): readonly string[] {
  const text = context.lookup.get(corev1.configmaps, 'feature-gate')?.data?.['feature-gate.yaml'];
  if (!text) return [];
  const file = decodeYaml(text).value as FeatureGateFile | null;
  const gates = file?.status?.featureGates?.find(({ version }) => version === desiredVersion(context));
  return [
    ...(gates?.enabled ?? []).map(({ name }) => `${name}=true`),
    ...(gates?.disabled ?? []).map(({ name }) => `${name}=false`),
  ];
}

/** The gate `FeatureGate` object a user asked for, as JSON (which is YAML), for the programs that render manifests. */
export function featureGateManifest({ hcp }: Pick<ControlPlaneContext, 'hcp'>): string {
  const spec = hcp.spec.configuration?.featureGate ?? {};
  return JSON.stringify({
    apiVersion: 'config.openshift.io/v1',
    kind: 'FeatureGate',
    metadata: { name: 'cluster' },
    spec,
  });
}
