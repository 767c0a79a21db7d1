import type { Draft } from '../../kinds/behaviour.ts';
import { about, type Check, containersText, namesWhere, plural, quoted, securityOf, violation } from './check.ts';

const allowPrivilegeEscalation: Check = {
  id: 'allowPrivilegeEscalation',
  since: 8,
  run: (pod) =>
    pod.isWindows
      ? undefined
      : violation(
          'allowPrivilegeEscalation != false',
          about(
            namesWhere(pod, (container) => securityOf(container)['allowPrivilegeEscalation'] !== false),
            'must set securityContext.allowPrivilegeEscalation=false',
          ),
        ),
};

const capabilities: Check = {
  id: 'capabilities_restricted',
  since: 22,
  overrides: ['capabilities_baseline'],
  run(pod) {
    if (pod.isWindows) return undefined;
    const of = (container: Draft): { add?: string[]; drop?: string[] } => securityOf(container)['capabilities'] ?? {};
    const added = (container: Draft): string[] => (of(container).add ?? []).filter((one) => one !== 'NET_BIND_SERVICE');
    const keeping = namesWhere(pod, (container) => !(of(container).drop ?? []).includes('ALL'));
    const adding = namesWhere(pod, (container) => added(container).length > 0);
    const forbidden = [...new Set(pod.containers.flatMap(added))].sort();
    return violation(
      'unrestricted capabilities',
      [
        ...about(keeping, 'must set securityContext.capabilities.drop=["ALL"]'),
        ...about(adding, `must not include ${quoted(forbidden)} in securityContext.capabilities.add`),
      ],
      '; ',
    );
  },
};

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
  'image',
];

const volumes: Check = {
  id: 'restrictedVolumes',
  overrides: ['hostPathVolumes'],
  run({ spec }) {
    const typeOf = (volume: Draft): string => Object.keys(volume).find((key) => key !== 'name') ?? 'unknown';
    const bad = ((spec['volumes'] ?? []) as Draft[]).filter((volume) => {
      const type = typeOf(volume);
      // A volume without a source is an emptyDir.
      return type !== 'unknown' && !allowedVolumes.includes(type);
    });
    if (bad.length === 0) return undefined;
    const names = bad.map(({ name }) => String(name));
    const types = [...new Set(bad.map(typeOf))].sort();
    return {
      reason: 'restricted volume types',
      detail:
        `${plural('volume', 'volumes', names.length)} ${quoted(names)} ${plural('uses', 'use', names.length)} ` +
        `restricted volume ${plural('type', 'types', types.length)} ${quoted(types)}`,
    };
  },
};

const runAsNonRoot: Check = {
  id: 'runAsNonRoot',
  run(pod) {
    const of = (owner: Draft): unknown => securityOf(owner)['runAsNonRoot'];
    const explicit = namesWhere(pod, (container) => of(container) === false);
    const fine = of(pod.spec) === true;
    const silent = fine ? [] : namesWhere(pod, (container) => of(container) === undefined);
    const setters = [
      ...(of(pod.spec) === false ? ['pod'] : []),
      ...(explicit.length > 0 ? [containersText(explicit)] : []),
    ];
    if (setters.length > 0)
      return {
        reason: 'runAsNonRoot != true',
        detail: `${setters.join(' and ')} must not set securityContext.runAsNonRoot=false`,
      };
    return violation(
      'runAsNonRoot != true',
      silent.length === 0 ? [] : [`pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true`],
    );
  },
};

const runAsUser: Check = {
  id: 'runAsUser',
  since: 23,
  run(pod) {
    const isRoot = (owner: Draft): boolean => securityOf(owner)['runAsUser'] === 0;
    const names = namesWhere(pod, isRoot);
    const setters = [...(isRoot(pod.spec) ? ['pod'] : []), ...(names.length > 0 ? [containersText(names)] : [])];
    return violation('runAsUser=0', setters.length === 0 ? [] : [`${setters.join(' and ')} must not set runAsUser=0`]);
  },
};

const seccomp: Check = {
  id: 'seccompProfile_restricted',
  since: 19,
  overrides: ['seccompProfile_baseline'],
  run(pod) {
    if (pod.isWindows) return undefined;
    const typeOf = (owner: Draft): string | undefined => securityOf(owner)['seccompProfile']?.type;
    const isBad = (type: string | undefined): boolean =>
      type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost';
    const explicit = namesWhere(pod, (container) => isBad(typeOf(container)));
    const setters = [
      ...(isBad(typeOf(pod.spec)) ? ['pod'] : []),
      ...(explicit.length > 0 ? [containersText(explicit)] : []),
    ];
    if (setters.length > 0) {
      const types = [pod.spec, ...pod.containers].map(typeOf).filter((type) => isBad(type)) as string[];
      return {
        reason: 'seccompProfile',
        detail: `${setters.join(' and ')} must not set securityContext.seccompProfile.type to ${quoted([...new Set(types)].sort())}`,
      };
    }
    const silent =
      typeOf(pod.spec) === undefined ? namesWhere(pod, (container) => typeOf(container) === undefined) : [];
    return violation(
      'seccompProfile',
      silent.length === 0
        ? []
        : [
            `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
          ],
    );
  },
};

/** What the restricted level asks beyond baseline, in the order messages list it. */
export const restrictedChecks: readonly Check[] = [
  allowPrivilegeEscalation,
  capabilities,
  volumes,
  runAsNonRoot,
  runAsUser,
  seccomp,
];
