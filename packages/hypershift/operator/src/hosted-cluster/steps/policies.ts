import { networkingv1 } from '@hypershift-ts/kube-apimachinery';
import { done } from '@hypershift-ts/kube-controller';
import { pkiOperatorAccess } from '../../cluster-api/index.ts';
import { desiredNetworkPolicies } from '../../network-policies/index.ts';
import { ensure, ensureAll, remove } from '../live.ts';
import type { ClusterStep } from './step.ts';

/** Cluster-wide access of the PKI operator, and who may talk to whom. */
export const policiesStep: ClusterStep = {
  name: 'RBACAndPolicies',
  kind: 'best-effort',
  async run({ cluster, namespace, controlPlaneOperator }, context) {
    await ensureAll(context, pkiOperatorAccess(cluster));
    const capabilities = controlPlaneOperator instanceof Error ? undefined : controlPlaneOperator?.capabilities;
    const facts = {
      ownRouter: false,
      labelsManagementKasAccess: capabilities?.appliesManagementKasNetworkPolicyLabel ?? false,
    };
    for (const [name, policy] of desiredNetworkPolicies(cluster, facts))
      if (policy) await ensure(context, policy);
      else await remove(context, networkingv1.networkpolicies, { namespace, name });
    return done();
  },
};
