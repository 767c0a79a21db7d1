/** What admission fills in for a NodePool beyond the defaults of the CRD. */
import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';
import type { HostedCluster } from '../hosted-cluster/index.ts';
import type { NodePool } from '../node-pool/index.ts';

/** Upstream writes an empty `replace` here, which its own controller then refuses; this is the default of the CRD. */
const rollingReplace = {
  strategy: 'RollingUpdate',
  rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
} as const;

// The API server fills in volume and compute of an empty struct, so it is not complete yet when written here.
function kubeVirtDefaults(spec: NodePool['spec']): NodePool['spec'] {
  const upgradeType = spec.management?.upgradeType || 'Replace';
  return {
    ...spec,
    platform: { ...spec.platform, kubevirt: spec.platform.kubevirt ?? ({} as never) },
    management: {
      ...spec.management,
      upgradeType,
      ...(upgradeType === 'Replace' ? { replace: spec.management?.replace ?? rollingReplace } : {}),
    },
  };
}

/** The object as admission would store it, or why that cannot be told. What is set already stays. */
export function defaultNodePool(
  pool: NodePool,
  hostedCluster: HostedCluster | undefined,
): { readonly pool: NodePool; readonly errors: readonly FieldError[] } {
  if (!pool.spec) return { pool, errors: [] };
  const errors: FieldError[] = [];
  let { spec } = pool;
  if (!spec.release?.image) {
    const image = hostedCluster?.spec?.release?.image;
    if (image) spec = { ...spec, release: { ...spec.release, image } };
    else if (!spec.clusterName)
      errors.push(fieldError.required('spec.clusterName', 'spec.release.image is taken from it'));
    else errors.push(fieldError.notFound('spec.clusterName', spec.clusterName));
  }
  if (spec.platform?.type === 'KubeVirt') spec = kubeVirtDefaults(spec);
  return { pool: { ...pool, spec }, errors };
}
