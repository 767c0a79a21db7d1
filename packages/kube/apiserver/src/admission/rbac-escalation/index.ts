import { jsonEqual, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import {
  type Authorizer,
  type Binding,
  checkBindingWrite,
  checkRoleWrite,
  type ClusterRole,
  type RbacIndex,
} from '../../authorization/index.ts';
import type { Draft } from '../../kinds/behaviour.ts';
import type { AdmissionPlugin } from '../admission.ts';

/** Nobody hands out more than they have. Kubernetes checks this where roles are stored; it cannot be turned off. */
export function rbacEscalation(index: RbacIndex, authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'RBACEscalation',
    handles: ({ resource, operation, subresource }) =>
      resource.group === 'rbac.authorization.k8s.io' &&
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE'),
    async validate({ resource, object, oldObject, namespace }, { user }) {
      if (oldObject && onlyOwnershipChanged(object!, oldObject)) return;
      const scope = { user, index, authorizer };
      if (resource.kind.endsWith('Binding')) await checkBindingWrite(scope, object as unknown as Binding, namespace);
      else
        await checkRoleWrite(
          scope,
          object as unknown as ClusterRole,
          oldObject ? (oldObject as unknown as ClusterRole) : undefined,
        );
    },
  };
}

/** The garbage collector must be able to let go of roles it could not have written. */
function onlyOwnershipChanged(object: Draft, old: UnstructuredObject): boolean {
  const rest = ({ metadata, ...other }: Draft): object => {
    const {
      ownerReferences: _,
      finalizers: __,
      managedFields: ___,
      resourceVersion: ____,
      ...kept
    } = metadata as Draft;
    return { ...other, metadata: kept };
  };
  return jsonEqual(rest(object), rest(old as Draft));
}
