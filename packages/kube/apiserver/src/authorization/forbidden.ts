import type { StatusError } from '@hypershift-ts/kube-apimachinery';
import { statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Attributes } from './attributes.ts';

/** `User "x" cannot list resource "pods" in API group "" in the namespace "default"` */
function denialMessage(attributes: Attributes): string {
  const user = JSON.stringify(attributes.user.name);
  if (!attributes.isResource) return `User ${user} cannot ${attributes.verb} path ${JSON.stringify(attributes.path)}`;
  const { subresource, namespace } = attributes;
  const resource = subresource === '' ? attributes.resource : `${attributes.resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `resource ${JSON.stringify(resource)} in API group ${JSON.stringify(attributes.group)}`;
  return `User ${user} cannot ${attributes.verb} ${what} ${where}`;
}

const htmlEscapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The 403 a denied request is answered with. The reason is what the authorizer said, often nothing. */
export function forbidden(attributes: Attributes, reason: string): StatusError {
  // User names come from outside, and some clients render errors in browsers.
  const message = denialMessage(attributes).replace(/[&<>]/g, (char) => htmlEscapes[char] as string);
  return statusErrors.forbidden(
    { group: attributes.group, resource: attributes.isResource ? attributes.resource : '' },
    attributes.name,
    reason === '' ? message : `${message}: ${reason}`,
  );
}
