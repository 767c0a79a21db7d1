import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { Lookup } from '../lookup.ts';

/** Deleting these would take the cluster's footing away. */
const protectedNamespaces = new Set(['default', 'kube-system', 'kube-public']);

/** Access reviews may ask about namespaces that do not exist. */
const exemptGroups = new Set(['authorization.k8s.io']);

/** Nothing is created in a namespace that is absent or on its way out. */
export function namespaceLifecycle(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    handles: ({ operation }) => operation === 'CREATE' || operation === 'DELETE' || operation === 'UPDATE',
    async validate(request) {
      if (isNamespaces(request)) return checkNamespaceDeletion(request);
      const { resource, namespace, operation } = request;
      if (
        !resource.namespaced ||
        operation !== 'CREATE' ||
        request.subresource !== '' ||
        exemptGroups.has(resource.group)
      )
        return;
      const found = await lookup.get('', 'namespaces', '', namespace);
      if (!found) throw statusErrors.notFound({ group: '', resource: 'namespaces' }, namespace);
      if (found.metadata.deletionTimestamp !== undefined) throw terminating(request, namespace);
    },
  };
}

function isNamespaces({ resource }: AdmissionRequest): boolean {
  return resource.group === '' && resource.resource === 'namespaces';
}

function checkNamespaceDeletion({ operation, name, resource }: AdmissionRequest): void {
  if (operation === 'DELETE' && protectedNamespaces.has(name))
    throw statusErrors.forbidden(resource, name, 'this namespace may not be deleted');
}

function terminating({ resource, name }: AdmissionRequest, namespace: string) {
  const error = statusErrors.forbidden(
    resource,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  return Object.assign(error, {
    details: {
      ...error.details,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  });
}
