/** Labels a kubelet may put on its own node although they are under kubernetes.io or k8s.io. */
const kubeletLabels = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'node.kubernetes.io/windows-build',
]);
const kubeletDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const restrictedDomain = 'node-restriction.kubernetes.io';

/** OpenShift's kubelets say what they are when they register, and never again. */
const registrationLabels = new Set(['node-role.kubernetes.io/worker']);

const inDomain = (domain: string, root: string): boolean => domain === root || domain.endsWith(`.${root}`);

type Labels = Readonly<Record<string, string>> | undefined;

/** The changed labels a kubelet has no say in, in order. */
export function forbiddenLabels(next: Labels, old: Labels): string[] {
  const keys = new Set([...Object.keys(next ?? {}), ...Object.keys(old ?? {})]);
  const isFree = (key: string) => old === undefined && registrationLabels.has(key);
  return [...keys].filter((key) => next?.[key] !== old?.[key] && isForbidden(key) && !isFree(key)).sort();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf('/');
  const domain = slash < 0 ? '' : label.slice(0, slash);
  if (inDomain(domain, restrictedDomain)) return true;
  if (!inDomain(domain, 'kubernetes.io') && !inDomain(domain, 'k8s.io')) return false;
  return !kubeletLabels.has(label) && !kubeletDomains.some((root) => inDomain(domain, root));
}
