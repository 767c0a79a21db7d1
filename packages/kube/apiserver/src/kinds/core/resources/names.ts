import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isQualifiedName } from '@hypershift-ts/kube-apimachinery';

/** Which resource names Kubernetes knows by itself, and what it lets others invent. */

const containerResources = new Set(['cpu', 'memory', 'ephemeral-storage']);

const standardResources = new Set([
  ...containerResources,
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'services.nodeports',
  'services.loadbalancers',
]);

const quotaCounts = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** A name like `example.com/gpu`: not ours, and usable in a quota as `requests.example.com/gpu`. */
function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return isQualifiedName(`requests.${name}`).length === 0;
}

/** Only what the kernel can share may be promised twice. */
export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

export function isIntegerResource(name: string): boolean {
  return quotaCounts.has(name) || isExtended(name);
}

/** A name any list of quantities may hold. */
export function validateResourceName(errors: FieldError[], name: string, field: string): boolean {
  const messages = isQualifiedName(name);
  for (const message of messages) errors.push(fieldError.invalid(field, name, message));
  if (messages.length > 0) return false;
  if (!name.includes('/') && !standardResources.has(name) && !isHugePages(name) && !isQuotaHugePages(name)) {
    errors.push(fieldError.invalid(field, name, 'must be a standard resource type or fully qualified'));
    return false;
  }
  return true;
}

function isQuotaHugePages(name: string): boolean {
  return name.startsWith('requests.hugepages-') || name.startsWith('limits.hugepages-');
}

/** A name a container may ask for. */
export function validateContainerResourceName(errors: FieldError[], name: string, field: string): void {
  validateResourceName(errors, name, field);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePages(name))
      errors.push(fieldError.invalid(field, name, 'must be a standard resource for containers'));
  } else if (!isNative(name) && !isExtended(name))
    errors.push(fieldError.invalid(field, name, "doesn't follow extended resource name standard"));
}

const quotaResources = standardResources;

/** A name a quota may limit. */
export function validateQuotaResourceName(errors: FieldError[], name: string, field: string): void {
  validateResourceName(errors, name, field);
  if (!name.includes('/') && !quotaResources.has(name) && !isHugePages(name) && !isQuotaHugePages(name))
    errors.push(fieldError.invalid(field, name, 'must be a standard resource for quota'));
}
