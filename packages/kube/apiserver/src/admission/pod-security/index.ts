import { jsonEqual, statusErrors } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../../kinds/behaviour.ts';
import type { RequestContext } from '../../request/context.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { nameForErrors } from '../error-name.ts';
import type { Lookup } from '../lookup.ts';
import { violationsOf } from './evaluate.ts';
import { formatLevel, isUnrestricted, labelErrors, levelsOf, type LevelVersion } from './levels.ts';
import { existingPodWarnings } from './existing-pods.ts';

/** Where each kind that makes pods keeps the pod's metadata and spec. */
const templates: Readonly<Record<string, (object: Draft) => Draft | undefined>> = {
  '/pods': (object) => object,
  '/podtemplates': (object) => object['template'],
  '/replicationcontrollers': (object) => object['spec']?.template,
  'apps/replicasets': (object) => object['spec']?.template,
  'apps/deployments': (object) => object['spec']?.template,
  'apps/statefulsets': (object) => object['spec']?.template,
  'apps/daemonsets': (object) => object['spec']?.template,
  'batch/jobs': (object) => object['spec']?.template,
  'batch/cronjobs': (object) => object['spec']?.jobTemplate?.spec?.template,
};

const keyOf = ({ resource }: AdmissionRequest): string => `${resource.group}/${resource.resource}`;

/** The Pod Security Standards, as a namespace's labels ask for them. */
export function podSecurity(lookup: Lookup): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    handles: (request) =>
      (request.operation === 'CREATE' || request.operation === 'UPDATE') &&
      (request.subresource === '' || (request.subresource === 'ephemeralcontainers' && keyOf(request) === '/pods')) &&
      (keyOf(request) === '/namespaces' || templates[keyOf(request)] !== undefined),
    async validate(request, context) {
      if (keyOf(request) === '/namespaces') return checkNamespace(request, context, lookup);
      const namespace = await lookup.get('', 'namespaces', '', request.namespace);
      if (isUnrestricted(namespace?.metadata.labels)) return;
      const template = templates[keyOf(request)]!(request.object!);
      if (!template?.['spec']) return;
      if (keyOf(request) === '/pods' && isInsignificant(request)) return;
      checkPod(request, context, template, levelsOf(namespace!.metadata.labels));
    },
  };
}

function checkPod(
  request: AdmissionRequest,
  context: RequestContext,
  template: Draft,
  { enforce, audit, warn }: ReturnType<typeof levelsOf>,
): void {
  const isPod = keyOf(request) === '/pods';
  const against = (level: LevelVersion): string | undefined =>
    violationsOf(level, template['metadata'], template['spec']);
  if (isPod) {
    context.auditAnnotation('pod-security.kubernetes.io/enforce-policy', formatLevel(enforce));
    const broken = against(enforce);
    if (broken)
      throw statusErrors.forbidden(
        request.resource,
        nameForErrors(request),
        `violates PodSecurity "${formatLevel(enforce)}": ${broken}`,
      );
  }
  const audited = against(audit);
  if (audited)
    context.auditAnnotation(
      'pod-security.kubernetes.io/audit-violations',
      `would violate PodSecurity "${formatLevel(audit)}": ${audited}`,
    );
  const warned = against(warn);
  if (warned) context.warn(`would violate PodSecurity "${formatLevel(warn)}": ${warned}`);
}

/** Updates of a pod can change little; only what the standards look at is judged again. */
function isInsignificant({ object, oldObject, subresource }: AdmissionRequest): boolean {
  if (!oldObject || subresource === 'ephemeralcontainers') return false;
  const appArmor = (metadata: Draft | undefined): object =>
    Object.fromEntries(
      Object.entries((metadata?.['annotations'] ?? {}) as Record<string, string>).filter(([key]) =>
        key.startsWith('container.apparmor.security.beta.kubernetes.io/'),
      ),
    );
  const significant = (spec: Draft = {}): object => {
    const { tolerations: _, activeDeadlineSeconds: __, schedulingGates: ___, nodeName: ____, ...rest } = spec;
    const plain = (containers: readonly Draft[] | undefined) =>
      (containers ?? []).map(({ image: _image, resources: _resources, ...container }) => container);
    return { ...rest, containers: plain(rest['containers']), initContainers: plain(rest['initContainers']) };
  };
  return (
    jsonEqual(significant(object!['spec']), significant(oldObject['spec'] as Draft)) &&
    jsonEqual(appArmor(object!['metadata']), appArmor(oldObject.metadata as Draft))
  );
}

/** Bad labels are refused when they are written; pods that a stricter level would not have let in are named. */
async function checkNamespace(request: AdmissionRequest, context: RequestContext, lookup: Lookup): Promise<void> {
  const { object, oldObject, resource } = request;
  const labels = object!['metadata'].labels as Record<string, string> | undefined;
  const errors = labelErrors(labels);
  const known = new Set(labelErrors(oldObject?.metadata.labels).map(({ field, message }) => `${field} ${message}`));
  const fresh = errors.filter(({ field, message }) => !known.has(`${field} ${message}`));
  if (fresh.length > 0) throw statusErrors.invalid(resource, request.name, fresh);
  if (!oldObject) return;
  const next = levelsOf(labels).enforce;
  if (next.level === 'privileged' || formatLevel(next) === formatLevel(levelsOf(oldObject.metadata.labels).enforce))
    return;
  for (const warning of await existingPodWarnings(lookup, request.name, next)) context.warn(warning);
}
